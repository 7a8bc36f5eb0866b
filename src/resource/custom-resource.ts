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
   * Never twice at a time for one object. Must be idempotent: it also runs after a restart, and again after a throw,
   * with back-off. What it leaves in `this.status` is written once afterwards, if changed, also after a throw.
   */
  abstract reconcile(ctx: Context): Promise<Result | void> | Result | void;

  /**
   * Called with the last known state once the object is gone. Best effort: not called for what was deleted while the
   * operator was down. Cleanup that must happen belongs into a `@Finalizer` method.
   */
  deleted(_ctx: Context): Promise<void> | void {
    return undefined;
  }
}
