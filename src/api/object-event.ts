import type { KubeObject } from './kube-object.js';

/** An event of an informer. Objects are shared and must not be changed. */
export type ObjectEvent<T extends KubeObject = KubeObject> =
  | {
      readonly type: 'add';
      readonly object: T;
      /** True for objects of the first list, false for objects created later. */
      readonly isInitial: boolean;
    }
  | { readonly type: 'update'; readonly object: T; readonly old: T }
  | { readonly type: 'delete'; readonly object: T };
