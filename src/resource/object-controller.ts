import type { KubeObject, UnstructuredObject } from '../api/objects/kube-object.js';
import type { StoredOf } from '../api/objects/stored-object.js';
import type { Context } from './context.js';
import { ReconcileMethod } from './reconcile-method.js';

/**
 * Base of a class with `@Controller({ for })`: a controller of a kind that another class or Kubernetes itself defines.
 * One instance lives for one reconcile. `T` is the type of the objects.
 */
export abstract class ObjectController<T extends KubeObject = UnstructuredObject> extends ReconcileMethod {
  /**
   * A private copy of the object. Changes of it are not written, except those of `status` with `writesStatus`: write
   * with `ctx.patch`, `ctx.apply` or `ctx.update`.
   */
  readonly object!: StoredOf<T>;

  /**
   * Called with the last known state once the object is deleted. Best effort: not called for objects that were deleted
   * while the operator was not running. Cleanup that must happen belongs in a `@Finalizer` method.
   * The object cannot own others any more: `ctx.apply` and `ctx.create` require `{ owned: false }`.
   */
  deleted(_ctx: Context): Promise<void> | void {
    return undefined;
  }
}
