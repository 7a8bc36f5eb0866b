import type { Context } from '../context.js';
import { appendMetadata, metadataKey } from '../metadata.js';

/** The arguments of one `@Finalizer` and its method. */
export interface FinalizerEntry {
  readonly name: string;
  readonly method: string;
  readonly isStatic: boolean;
}

export const FINALIZER = metadataKey<FinalizerEntry>('finalizer');

/**
 * Runs the method before an object is deleted: the finalizer is removed once the method has returned without throwing.
 *
 * The method must be idempotent, and runs before any reconcile of an object that is being deleted.
 */
export function Finalizer(
  name: string,
): <M extends (ctx: Context) => unknown>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<M>,
) => void {
  return (target, method) => {
    const isStatic = typeof target === 'function';
    appendMetadata(FINALIZER, isStatic ? target : target.constructor, { name, method, isStatic });
  };
}
