import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { ResourceModel } from '../model.js';

/** The kinds that the class names in `@Kind`, `@Owns` and `@Watches`, or the parts of them that it caches. */
export function kindsOf(model: Pick<ResourceModel, 'ownKind' | 'owns' | 'watches'>): KindRef[] {
  const { ownKind, owns, watches } = model;
  return [ownKind, ...owns.map((owned) => owned.kind), ...watches.map((watched) => watched.kind)];
}

/** The keys of the kinds that may be missing in a cluster: those of optional `@Dependent` methods. */
export function optionalKindsOf({ dependents }: ResourceModel): ReadonlySet<string> {
  return new Set(dependents.flatMap(({ kind, options }) => (options.optional === true ? [kindKey(kind)] : [])));
}

/** Returns the part of a kind that reads of the kind itself use in place of all objects. */
export function servingKind({ part, ...kind }: KindRef): KindRef {
  return part ? Object.freeze({ ...kind, part: Object.freeze({ ...part, servesKind: true as const }) }) : kind;
}

/**
 * Returns the cached kinds that a read without a part uses, by the key of the kind.
 *
 * A selection of objects is read by its kind if it serves the kind, or is the only one of the kind; of several,
 * each is read by its part, because none of them has all the objects that a reader expects.
 */
export function wholeKinds(kinds: readonly KindRef[]): Map<string, KindRef> {
  const whole = new Map<string, KindRef>();
  const candidates = Map.groupBy(
    kinds.filter(({ part }) => !part?.reduce || part.servesKind),
    kindKey,
  );
  for (const [key, [first, ...rest]] of candidates) {
    const all = [first, ...rest];
    const isOnly = rest.every((other) => other.part?.key === first?.part?.key);
    const serving = all.find((candidate) => !candidate?.part) ?? all.find((candidate) => candidate?.part?.servesKind);
    const kind = serving ?? (isOnly ? first : undefined);
    if (kind) whole.set(key, kind);
  }
  return whole;
}
