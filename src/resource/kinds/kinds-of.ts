import type { KindRef } from '../../api/kind-ref.js';
import type { ResourceModel } from '../model.js';

/** The kinds that the class names in `@Kind`, `@Owns` and `@Watches`. */
export function kindsOf({ kind, owns, watches }: ResourceModel): KindRef[] {
  return [kind, ...owns.map((owned) => owned.kind), ...watches.map((watched) => watched.kind)];
}
