import type { KindLike } from '../../api/kinds/kind-ref.js';
import { metadataKey, prependMetadata } from '../metadata.js';
import type { WebhookOptions } from './webhook-method.js';

/** Options of `@Admission`, for all methods of the class; those of a method take precedence. */
export interface AdmissionOptions extends Pick<
  WebhookOptions,
  'match' | 'namespaceSelector' | 'objectSelector' | 'failurePolicy' | 'timeoutSeconds'
> {
  /**
   * Permits webhooks that reject every write of a kind that the cluster cannot run without, such as Pod, while the
   * operator does not answer.
   */
  readonly allow?: 'cluster-wide';
}

/** The arguments of one `@Admission`. */
export interface AdmissionEntry {
  readonly kind: KindLike;
  readonly options: AdmissionOptions;
}

export const ADMISSION = metadataKey<AdmissionEntry>('admission');

/**
 * Lets the `@Mutate` and `@Validate` methods of a class review the objects of a kind that Kubernetes or another project
 * defines. They get the object as their first argument and the review as their second.
 *
 * Objects in the namespace of the operator, in kube-system and in kube-node-lease are never reviewed, so that the operator
 * and the cluster can always start. `failurePolicy` defaults to `Ignore` for `@Mutate` and to `Fail` for `@Validate`,
 * `timeoutSeconds` to 3.
 */
export function Admission(kind: KindLike, options: AdmissionOptions = {}): (target: abstract new () => object) => void {
  return (target) => {
    prependMetadata(ADMISSION, target, { kind, options });
  };
}
