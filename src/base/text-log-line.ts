import type { ErrorFields } from './error-fields.js';

/** A log record as pino writes it. */
export interface LogRecord extends Readonly<Record<string, unknown>> {
  readonly msg?: string;
  /** An error, or the message of one that was logged in full before. */
  readonly err?: ErrorFields | string;
  readonly hint?: string;
  /** A location in the user's own code. */
  readonly at?: string;
}

/** Fields that have a place of their own in the text. */
const PRINTED_APART = new Set(['level', 'time', 'msg', 'err', 'hint', 'at', 'reconcileID']);
/** More frames of the user's own code rarely help. */
const MAX_FRAMES = 5;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * A log record as text: the message and fields in one line, then the error, its frames and the hint, one per line.
 *
 * The frames are those of the user's own code; the whole stack is printed if the record has it. An error given as a
 * string is printed in the first line. The id of a reconcile is printed only if verbose.
 */
export function textLogLine(record: LogRecord, { isVerbose }: { readonly isVerbose: boolean }): string {
  const { msg = '', err, hint, at } = record;
  const lines = [[msg, ...fieldsOf(record, isVerbose), ...(at === undefined ? [] : [`at ${at}`])].join(' ')];
  if (typeof err === 'object') lines.push(...errorLines(err).map((line) => `    ${line}`));
  if (hint !== undefined) lines.push(`    hint: ${hint.replaceAll('\n', '\n          ')}`);
  return lines.join('\n').replace(CONTROL, '');
}

function fieldsOf(record: LogRecord, isVerbose: boolean): string[] {
  const { reconcileID, err } = record;
  const shown = {
    ...Object.fromEntries(Object.entries(record).filter(([key]) => !PRINTED_APART.has(key))),
    ...(isVerbose && reconcileID !== undefined && { reconcileID }),
    ...(typeof err === 'string' && { err }),
  };
  return Object.entries(shown).map(([key, value]) => `${key}=${valueText(value)}`);
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
