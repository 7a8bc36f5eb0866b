import type { KindLike, ObjectOf } from '../../api/kinds/kind-ref.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import type { Predicate } from '../../api/events/predicate.js';
import type { Mapper } from '../mapper.js';
import type { Gated } from '../feature-gates.js';
import { metadataKey, prependMetadata } from '../metadata.js';
import type { ObjectController } from '../object-controller.js';

/** Options of `@Watches`. */
export interface WatchesOptions<T extends KubeObject = KubeObject> extends Gated {
  /** Selects the events that are mapped; default: all, updates of the status included. */
  readonly predicate?: Predicate<T>;
}

/** The arguments of one `@Watches`. */
export interface WatchesEntry {
  readonly kind: KindLike;
  readonly mapper: Mapper;
  readonly options: WatchesOptions;
}

export const WATCHES = metadataKey<WatchesEntry>('watches', ({ options }) => options.gate);

/** Reconciles the objects that `mapper` returns whenever an object of this kind changes. */
export function Watches<K extends KindLike>(
  kind: K,
  mapper: Mapper<ObjectOf<K>>,
  options: WatchesOptions<ObjectOf<K>> = {},
): (target: abstract new (...args: never[]) => KubeObject | ObjectController<KubeObject>) => void {
  return (target) => {
    prependMetadata(WATCHES, target, { kind, mapper: mapper as Mapper, options: options as unknown as WatchesOptions });
  };
}
