import type { ObjectChange } from './object-changes.js';

const LONGEST_VALUE = 200;
/** kubectl's copy of the applied object, which holds the data of a Secret too. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The old or new value of a field for the log: JSON, cut when long, and redacted when it is data of a Secret. */
export function printableValue({ kind, path, ...values }: ObjectChange, side: 'from' | 'to'): string {
  const value = values[side];
  if (value === undefined) return 'absent';
  if (kind.group === '' && kind.kind === 'Secret' && isSecret(path)) return 'redacted';
  const text = path.length === 0 && typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}

/** All of a Secret's content but its type is secret, and so are annotations that copy it. */
function isSecret([section, member, name]: ObjectChange['path']): boolean {
  if (section === 'data' || section === 'stringData') return true;
  return section === 'metadata' && member === 'annotations' && (name === undefined || name === LAST_APPLIED);
}
