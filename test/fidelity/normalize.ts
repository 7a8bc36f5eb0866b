const VARYING = new Set([
  'uid',
  'creationTimestamp',
  'resourceVersion',
  'time',
  'deletionTimestamp',
  'continue',
  'lastTransitionTime',
  'remainingItemCount',
]);
const CLUSTER_ADDRESS = /\b10\.0\.\d+\.\d+\b/g;
const AGE = /^\d+s$/;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The reply without what differs between any two servers: uids, times, versions. */
export function normalize(value: unknown): unknown {
  if (typeof value === 'string' && AGE.test(value)) return '<age>';
  if (typeof value === 'string')
    return value.replace(TIME, '<time>').replace(UUID, '<uid>').replace(CLUSTER_ADDRESS, '<ip>');
  if (typeof value === 'number' && value >= 30000 && value <= 32767) return '<nodePort>';
  if (Array.isArray(value)) return inOrder(value.map(normalize));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([key, member]) => [key, VARYING.has(key) && member !== null ? `<${key}>` : normalize(member)]),
  );
}

/** Paths at which two normalised values differ, with both sides. */
export function differences(ours: unknown, real: unknown, path = ''): string[] {
  if (isObject(ours) && isObject(real)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(real)]);
    return [...keys].flatMap((key) => differences(ours[key], real[key], `${path}.${key}`));
  }
  const [a, b] = [textOf(ours), textOf(real)];
  return a === b ? [] : [`${path}: embedded ${a}, real ${b}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Apply conflicts come in the order of a Go map, which is none. */
function inOrder(items: readonly unknown[]): readonly unknown[] {
  const isConflicts = items.some((item) => isObject(item) && item.reason === 'FieldManagerConflict');
  return isConflicts ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
}

function textOf(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
