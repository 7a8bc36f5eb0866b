import type { KubeObject, ObjectMeta } from '../api/objects/kube-object.js';
import type { Context } from './context.js';
import { ReconcileMethod } from './reconcile-method.js';

/** Base of every annotated class. One instance lives for one reconcile, holding a private copy of the object. */
export abstract class CustomResource extends ReconcileMethod implements KubeObject {
  apiVersion!: string;
  kind!: string;
  metadata!: ObjectMeta;

  /**
   * Called with the last known state after the object was deleted. Best effort: not called for objects that were deleted
   * while the operator was not running. Cleanup that must happen belongs in a `@Finalizer` method.
   * The object cannot own others any more: `ctx.apply` and `ctx.create` require `{ owned: false }`.
   */
  deleted(_ctx: Context): Promise<void> | void {
    return undefined;
  }
}
