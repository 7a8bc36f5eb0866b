import type { Context } from '../context.js';
import { appendMetadata, assertCalled, metadataKey } from '../metadata.js';
import type { Result } from '../result.js';

/** The arguments of one `@Finalizer` and its method. */
export interface FinalizerEntry {
  readonly name: string;
  readonly method: string;
  readonly isStatic: boolean;
}

export const FINALIZER = metadataKey<FinalizerEntry>('finalizer');

/**
 * Runs the method before an object is deleted, and removes the finalizer once the method has finished.
 *
 * The method has finished when it returns nothing. A method that throws is retried with back-off; one that returns
 * `{ requeueAfter }` is called again after that time, for example to wait until an external resource is deleted.
 * Several methods run in the order of the class; the next one starts when the previous one has finished, and the
 * finalizers are removed together. The method must be idempotent: a later failure runs all methods again.
 */
export function Finalizer(
  name: string,
): <M extends (ctx: Context) => Promise<Result | void> | Result | void>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<M>,
) => void {
  assertCalled(FINALIZER, name);
  return (target, method) => {
    const isStatic = typeof target === 'function';
    appendMetadata(FINALIZER, isStatic ? target : target.constructor, { name, method, isStatic });
  };
}
