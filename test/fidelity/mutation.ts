import type { Chooser } from './chooser.js';

type Members = Record<string, unknown>;

const WRONG: readonly unknown[] = [1, 'text', true, null, [], {}, [1], { a: 1 }, -1, 1.5];

/** The body with one thing wrong, or at least odd, somewhere. */
export function mutate(body: object, choose: Chooser): object {
  const copy = structuredClone(body) as Members;
  const owner = choose.pick(ownersIn(copy));
  const keys = Object.keys(owner);
  const key = keys.length === 0 ? 'odd' : choose.pick(keys);
  choose.pick([
    () => (owner[key] = choose.pick(WRONG)),
    () => (owner.odd = choose.pick(WRONG)),
    () => Reflect.deleteProperty(owner, key),
    () => (copy.metadata = { ...(copy.metadata as Members), ...choose.pick(ODD_METADATA) }),
    () => Object.assign(copy, choose.pick(ODD_IDENTITY)),
  ])();
  return copy;
}

/** What objects may be called that a mutation gave another name. */
export const MUTATED_NAMES = ['Upper_Case', 'another', 'text'];

const ODD_METADATA: readonly object[] = [
  { name: 'Upper_Case' },
  { name: 'another' },
  { name: '' },
  { namespace: 'elsewhere' },
  { labels: { 'a b': 'x' } },
  { labels: { a: 1 } },
  { annotations: { '': 'x' } },
  { finalizers: ['no-domain'] },
  { resourceVersion: '1' },
  { resourceVersion: 'abc' },
  { uid: '11111111-1111-1111-1111-111111111111' },
  { generation: -1 },
  { deletionTimestamp: '2026-01-01T00:00:00Z' },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }] },
  { ownerReferences: [{ apiVersion: 'v1', kind: '', name: '', uid: '' }] },
  { creationTimestamp: 'never' },
];

const ODD_IDENTITY: readonly object[] = [
  { kind: 'Other' },
  { apiVersion: 'other/v1' },
  { kind: '' },
  { metadata: null },
];

/** Every object in a body that can be changed, the body itself included. */
function ownersIn(value: unknown): Members[] {
  if (Array.isArray(value)) return value.flatMap(ownersIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Members, ...Object.values(value).flatMap(ownersIn)];
}
