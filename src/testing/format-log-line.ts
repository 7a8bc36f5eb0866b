import { inspect } from 'node:util';
import type { LogLine } from './line-logger.js';

/** A line of a log as text: level, message, `key=value` for each field, and the error of the field `err`. */
export function formatLogLine({ level, message, fields }: LogLine): string {
  const { err, ...others } = fields;
  const pairs = Object.entries(others).map(([key, value]) => `${key}=${textOf(value)}`);
  const text = [level.padEnd(5), message, ...pairs].join(' ');
  return err === undefined ? text : `${text}: ${err instanceof Error ? String(err) : textOf(err)}`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"'=]+$/.test(value)) return value;
  return inspect(value, { depth: 3, breakLength: Infinity });
}
