import type { KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import type { ListerOptions } from '../api/selection/object-filter.js';

/** Reads objects for the methods of webhooks. The objects belong to the reader and must not be changed. */
export interface ReviewReader {
  /** Returns undefined if the object does not exist. Rejects with the signal's reason. */
  get(
    kind: KindRef,
    name: string,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<ReadonlyDeep<KubeObject> | undefined>;
  /** Returns the objects sorted by namespace and name. Rejects with the signal's reason. */
  list(kind: KindRef, options: ListerOptions, signal: AbortSignal): Promise<readonly ReadonlyDeep<KubeObject>[]>;
}
