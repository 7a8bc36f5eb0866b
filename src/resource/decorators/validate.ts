import { appendMetadata, assertCalled, metadataKey } from '../metadata.js';
import type { CustomResource } from '../custom-resource.js';
import type { WebhookDecorator, WebhookMethodEntry, WebhookOptions } from './webhook-method.js';

export const VALIDATE = metadataKey<WebhookMethodEntry>('validate', ({ options }) => options.gate);

/** Decorates a method, or a class with `@Kind` and fields with `@RuntimeOnly`. */
export interface ValidateDecorator extends WebhookDecorator {
  (target: abstract new (...args: never[]) => CustomResource): void;
}

/**
 * Lets the method reject writes with `review.invalid` or `review.forbidden`: a validating admission webhook.
 *
 * `this` is a private copy of the object after all mutations and defaults; for DELETE it is the object to delete.
 * Several methods run in the order of the class. If the method throws, `failurePolicy` decides. Use the
 * schema or `@XValidation` for rules that concern the object alone: they need no running operator.
 *
 * Before a class, it rejects writes that violate a rule of a field with `@RuntimeOnly`, other than in the status. Objects
 * within the resource that an update leaves as they are, are not checked, so that a rule that came later does not block
 * other changes.
 */
export function Validate(options: WebhookOptions = {}): ValidateDecorator {
  assertCalled(VALIDATE, options);
  return (target: object, method?: string) => {
    const isClass = typeof target === 'function';
    const isStatic = isClass && method !== undefined;
    appendMetadata(VALIDATE, isClass ? target : target.constructor, { method, isStatic, options });
  };
}
