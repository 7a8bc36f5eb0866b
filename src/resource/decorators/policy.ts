import { assertCalled, metadataKey, prependMetadata } from '../metadata.js';
import type { WebhookOptions } from './webhook-method.js';

/** The requests to which a policy applies. */
interface PolicyScope extends Pick<
  WebhookOptions,
  'on' | 'subresources' | 'match' | 'namespaceSelector' | 'objectSelector' | 'failurePolicy' | 'whileDeleting' | 'gate'
> {
  /** Name of the policy and its binding; default `podsets.apps.example.com`, with a number for further policies. */
  readonly name?: string;
}

/** Options of a policy that rejects writes. */
export interface PolicyOptions extends PolicyScope {
  /** The text of a rejection. Default: the expression. */
  readonly message?: string;
  /** A CEL expression for the text of a rejection. */
  readonly messageExpression?: string;
  /** Status reason of a rejection; default `Invalid`. */
  readonly reason?: 'Unauthorized' | 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge';
  /** The effect on a write that breaks the rule; default `['Deny']`. */
  readonly actions?: readonly ('Deny' | 'Warn' | 'Audit')[];
}

/** Options of a policy that changes objects; requires Kubernetes 1.36. */
export interface MutatingPolicyOptions extends PolicyScope {
  /** A CEL expression that returns the fields to apply: `Object{spec: Object.spec{zone: "a"}}`. */
  readonly apply?: string;
  /** A CEL expression that returns a JSON patch: `[JSONPatch{op: "add", path: "/spec/zone", value: "a"}]`. */
  readonly patch?: string;
  /** Apply it again if a later policy or webhook changed the object; default false. */
  readonly reinvocation?: boolean;
}

/** The arguments of one `@Policy`. */
export interface PolicyEntry {
  /** Undefined for a policy that changes objects. */
  readonly expression: string | undefined;
  readonly options: PolicyOptions & MutatingPolicyOptions;
}

export const POLICY = metadataKey<PolicyEntry>('policy', ({ options }) => options.gate);

/**
 * Lets the API server itself reject writes for which a CEL expression over `object`, `oldObject`, `request`,
 * `namespaceObject` and `authorizer` is not true: a ValidatingAdmissionPolicy, which needs no running operator.
 *
 * For a class with `@Kind` or `@Admission`. Rules that do not depend on the user, the namespace or the operation belong
 * in `@XValidation`.
 */
export function Policy(
  expression: string,
  messageOrOptions?: string | PolicyOptions,
): (target: abstract new (...args: never[]) => object) => void;
/** Lets the API server change objects before they are stored: a MutatingAdmissionPolicy. */
export function Policy(options: MutatingPolicyOptions): (target: abstract new (...args: never[]) => object) => void;
export function Policy(
  rule: string | MutatingPolicyOptions,
  messageOrOptions: string | PolicyOptions = {},
): (target: abstract new (...args: never[]) => object) => void {
  const options = typeof messageOrOptions === 'string' ? { message: messageOrOptions } : messageOrOptions;
  const entry = typeof rule === 'string' ? { expression: rule, options } : { expression: undefined, options: rule };
  assertCalled(POLICY, rule);
  return (target) => {
    prependMetadata(POLICY, target, entry);
  };
}
