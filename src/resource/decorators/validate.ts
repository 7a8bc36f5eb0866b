import { appendMetadata, metadataKey } from '../metadata.js';
import type { WebhookDecorator, WebhookMethodEntry, WebhookOptions } from './webhook-method.js';

export const VALIDATE = metadataKey<WebhookMethodEntry>('validate');

/**
 * Lets the method reject writes with `review.refuse` or `review.forbid`: a validating admission webhook.
 *
 * `this` is a private copy of the object after all mutations and defaults; for DELETE it is the object to delete.
 * Several methods run in the order of the class. If the method throws, `failurePolicy` decides. Use the
 * schema or `@XValidation` for rules that concern the object alone: they need no running operator.
 */
export function Validate(options: WebhookOptions = {}): WebhookDecorator {
  return (target: object, method: string) => {
    const isStatic = typeof target === 'function';
    appendMetadata(VALIDATE, isStatic ? target : target.constructor, { method, isStatic, options });
  };
}
