import type { KindRef } from '../../api/kind-ref.js';
import { partOf } from '../../api/part-of.js';
import type { ResourceModel } from '../model.js';

/** The kinds that the class names in `@Kind`, `@Owns` and `@Watches`, or the parts of them that it caches. */
export function kindsOf(model: ResourceModel): KindRef[] {
  const { owns, watches } = model;
  return [ownKindOf(model), ...owns.map((owned) => owned.kind), ...watches.map((watched) => watched.kind)];
}

/** The kind of the class; with the option `cache` of `@Controller`, the part of its objects that is cached. */
export function ownKindOf({ kind, controller }: ResourceModel): KindRef {
  return controller.cache ? partOf(kind, controller.cache) : kind;
}
