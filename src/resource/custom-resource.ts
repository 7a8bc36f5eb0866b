import type { KubeObject, ObjectMeta } from '../api/kube-object.js';
import type { Context } from './context.js';
import type { Result } from './result.js';

/** Base of every annotated class. One instance lives for one reconcile, holding a private copy of the object. */
export abstract class CustomResource implements KubeObject {
  apiVersion!: string;
  kind!: string;
  metadata!: ObjectMeta;

  /**
   * Makes the cluster match the object. Called after any change of the object or of what it owns or watches, but not
   * while the object is being deleted: then only `@Finalizer` methods run.
   *
   * Never twice at a time for one object. Must be idempotent: it also runs after a restart, and again after an error,
   * with back-off. `this.status` is written once afterwards if it has changed, also after an error.
   */
  abstract reconcile(ctx: Context): Promise<Result | void> | Result | void;

  /**
   * Called with the last known state after the object was deleted. Best effort: not called for objects that were deleted
   * while the operator was not running. Cleanup that must happen belongs in a `@Finalizer` method.
   * The object cannot own others any more: `ctx.apply` and `ctx.create` require `{ owned: false }`.
   */
  deleted(_ctx: Context): Promise<void> | void {
    return undefined;
  }
}
