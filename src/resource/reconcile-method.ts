import type { Context } from './context.js';
import type { Result } from './result.js';

declare abstract class AbstractReconcile {
  /**
   * Makes the cluster match the object. Called after any change of the object or of what it owns or watches, but not
   * while the object is being deleted: then only `@Finalizer` methods run. Optional for a class with `@Dependent`
   * methods, which are called first; a class with neither has no controller and only defines its kind.
   *
   * Never twice at a time for one object. Must be idempotent: it also runs after a restart, and again after an error,
   * with back-off. The status is written once afterwards if it has changed, also after an error.
   */
  abstract reconcile?(ctx: Context): Promise<Result | void> | Result | void;
}

interface OptionalReconcile {
  reconcile?(ctx: Context): Promise<Result | void> | Result | void;
}

/**
 * Declares the method `reconcile`, which a class may leave out.
 *
 * TypeScript requires a class to implement an abstract method, and with `noImplicitOverride` requires `override` before
 * a method that is not abstract. A method of an intersection of both kinds needs neither.
 */
export const ReconcileMethod = class {} as unknown as abstract new () => AbstractReconcile & OptionalReconcile;
