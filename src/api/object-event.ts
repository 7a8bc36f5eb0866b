import type { KubeObject } from './kube-object.js';

/** What an informer tells its handlers. Objects are shared: never change them. */
export type ObjectEvent<T extends KubeObject = KubeObject> =
  | {
      readonly type: 'add';
      readonly object: T;
      /** Set for objects found by the first list rather than created since. */
      readonly isInitial: boolean;
    }
  | { readonly type: 'update'; readonly object: T; readonly old: T }
  | { readonly type: 'delete'; readonly object: T };
