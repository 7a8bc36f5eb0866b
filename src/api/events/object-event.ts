import type { KubeObject, ReadonlyDeep } from '../objects/kube-object.js';

/** An event of an informer. Objects are shared by all readers of the cache, and therefore read-only. */
export type ObjectEvent<T extends KubeObject = KubeObject> = ChangeOf<ReadonlyDeep<T>>;

/** A change of a cached object of type `O`. */
export type ChangeOf<O> =
  | {
      readonly type: 'add';
      readonly object: O;
      /** True for objects of the first list, false for objects created later. */
      readonly isInitial: boolean;
    }
  | {
      readonly type: 'update';
      readonly object: O;
      readonly old: O;
      /**
       * True if a list shows another state than the cache after events may have been missed, for example because etcd was
       * restored from a backup. `resourceVersion` and `generation` may then be those of `old`, or older.
       */
      readonly isCorrection?: boolean;
    }
  | { readonly type: 'delete'; readonly object: O };
