import type { KubeObject } from './kube-object.js';

/** An event of an informer. Objects are shared and must not be changed. */
export type ObjectEvent<T extends KubeObject = KubeObject> =
  | {
      readonly type: 'add';
      readonly object: T;
      /** True for objects of the first list, false for objects created later. */
      readonly isInitial: boolean;
    }
  | {
      readonly type: 'update';
      readonly object: T;
      readonly old: T;
      /**
       * True if a list shows another state than the cache after events may have been missed, for example because etcd was
       * restored from a backup. `resourceVersion` and `generation` may then be those of `old`, or older.
       */
      readonly isCorrection?: boolean;
    }
  | { readonly type: 'delete'; readonly object: T };
