import { processRedactor } from '../../api/redaction.js';
import type { ObjectChange } from './object-changes.js';

const LONGEST_VALUE = 200;

/** The old or new value of a field for the log: JSON, cut when long, and redacted when it is a secret. */
export function printableValue({ kind, path, ...values }: ObjectChange, side: 'from' | 'to'): string {
  const value = processRedactor.redact(kind, values[side], path);
  if (value === undefined) return 'absent';
  const text = path.length === 0 && typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
