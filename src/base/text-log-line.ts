import type { ErrorFields } from './error-fields.js';
import { printableText } from './printable-text.js';

/** A log record as pino writes it. */
export interface LogRecord extends Readonly<Record<string, unknown>> {
  readonly msg?: string;
  readonly err?: ErrorFields;
  /** True when the previous record had the same error and printed it in full. */
  readonly isRepeated?: boolean;
  readonly hint?: string;
  /** A location in the user's own code. */
  readonly at?: string;
}

/** Fields that are printed separately. */
const PRINTED_APART = new Set(['level', 'time', 'msg', 'err', 'hint', 'at', 'isRepeated', 'reconcileID']);
/** More frames of the user's own code rarely help. */
const MAX_FRAMES = 5;

/**
 * Formats a log record as text: the message and fields in one line, then the error, its frames and the hint, one per
 * line.
 *
 * The frames are those of the user's own code; if verbose, the whole stack is printed instead. A repeated error is
 * printed in the first line only, unless verbose. The id of a reconcile is printed only if verbose.
 */
export function textLogLine(record: LogRecord, { isVerbose }: { readonly isVerbose: boolean }): string {
  const { msg = '', err, hint, at } = record;
  const isShort = record.isRepeated === true && !isVerbose;
  const location = isShort ? err?.at : at;
  const fields = Object.entries(shownFields(record, isVerbose, isShort)).map(([key, value]) => {
    return `${key}=${valueText(value)}`;
  });
  const lines = [[msg, ...fields, ...(location === undefined ? [] : [`at ${location}`])].join(' ')];
  if (err && !isShort) lines.push(...errorLines(err).map((line) => `    ${line}`));
  if (hint !== undefined && !isShort) lines.push(`    hint: ${hint.replaceAll('\n', '\n          ')}`);
  return printableText(lines.join('\n'));
}

function shownFields(record: LogRecord, isVerbose: boolean, isShort: boolean): Record<string, unknown> {
  const { reconcileID, err } = record;
  return {
    ...Object.fromEntries(Object.entries(record).filter(([key]) => !PRINTED_APART.has(key))),
    ...(isVerbose && reconcileID !== undefined && { reconcileID }),
    ...(isShort && err && { err: err.message }),
  };
}

function valueText(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return value;
  return JSON.stringify(value);
}

function errorLines({ type, message, frames = [], stack }: ErrorFields): string[] {
  if (stack !== undefined) return stack.split('\n');
  const shown = frames.slice(0, MAX_FRAMES).map(({ caller, location }) => {
    return caller === '' ? `    at ${location}` : `    at ${caller} (${location})`;
  });
  return [...`${type}: ${message}`.split('\n'), ...shown];
}
