import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { Context } from '../../resource/context.js';
import type { ReconciledInstance } from '../../resource/instances/reconciled-instance.js';

/** One reconcile: the owner as the cache holds it, the user's instance and its context. */
export interface ReconcileScope {
  readonly owner: ReadonlyDeep<KubeObject>;
  readonly instance: ReconciledInstance;
  readonly context: Context;
}
