import { kindKey, type KindRef } from '../../api/kind-ref.js';
import { partOf } from '../../api/part-of.js';
import type { ResourceModel } from '../model.js';

/** The kinds that the class names in `@Kind`, `@Owns` and `@Watches`, or the parts of them that it caches. */
export function kindsOf(model: Pick<ResourceModel, 'kind' | 'controller' | 'owns' | 'watches'>): KindRef[] {
  const { owns, watches } = model;
  return [ownKindOf(model), ...owns.map((owned) => owned.kind), ...watches.map((watched) => watched.kind)];
}

/** The keys of the kinds that may be missing in a cluster: those of optional `@Dependent` methods. */
export function optionalKindsOf({ dependents }: ResourceModel): ReadonlySet<string> {
  return new Set(dependents.flatMap(({ kind, options }) => (options.optional === true ? [kindKey(kind)] : [])));
}

/** The kind of the class; with the option `cache` of `@Controller`, the part of its objects that is cached. */
export function ownKindOf({ kind, controller }: Pick<ResourceModel, 'kind' | 'controller'>): KindRef {
  return controller.cache ? partOf(kind, controller.cache) : kind;
}

/**
 * Returns the cached kinds that a read without a part uses, by the key of the kind. The class's own kind is the first.
 *
 * A selection of objects is read by its kind if it is that of the class itself, or the only one of the kind; of several,
 * each is read by its part, because none of them has all the objects that a reader expects.
 */
export function wholeKinds(kinds: readonly KindRef[]): Map<string, KindRef> {
  const [own] = kinds;
  const whole = new Map<string, KindRef>();
  const candidates = Map.groupBy(
    kinds.filter(({ part }) => !part?.reduce),
    kindKey,
  );
  for (const [key, [first, ...rest]] of candidates) {
    const isOnly = first === own || rest.every((other) => other.part?.key === first?.part?.key);
    const kind = [first, ...rest].find((candidate) => !candidate?.part) ?? (isOnly ? first : undefined);
    if (kind) whole.set(key, kind);
  }
  return whole;
}
