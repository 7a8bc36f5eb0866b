import type { Chooser } from './chooser.js';
import { ODD_METADATA, ODD_NAMES } from './odd-metadata.js';

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
export const MUTATED_NAMES = ['Upper_Case', 'another', 'text', ...ODD_NAMES];

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
