import { appendMetadata, assertCalled, metadataKey } from '../metadata.js';
import type { WebhookDecorator, WebhookMethodEntry, WebhookOptions } from './webhook-method.js';

/** Options of `@Mutate`. */
export interface MutateOptions extends WebhookOptions {
  /** Call the method again if a later webhook changed the object; default false. */
  readonly reinvocation?: boolean;
}

export const MUTATE = metadataKey<WebhookMethodEntry>('mutate', ({ options }) => options.gate);

/**
 * Lets the method change objects before they are validated and stored: a mutating admission webhook.
 *
 * `this` is a private copy of the object. What the method changed is stored, nothing else; metadata other than labels,
 * annotations, finalizers and owner references must stay as it is. The method must be idempotent, and should fill what
 * is absent and not overwrite what a user set: an applier would conflict with it. Several methods run in the order of
 * the class. If the method throws, `failurePolicy` decides. Use `@Field({ default })` for constants.
 */
export function Mutate(options: MutateOptions = {}): WebhookDecorator {
  assertCalled(MUTATE, options);
  return (target: object, method: string) => {
    const isStatic = typeof target === 'function';
    appendMetadata(MUTATE, isStatic ? target : target.constructor, { method, isStatic, options });
  };
}
