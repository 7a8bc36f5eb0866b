import type { ObjectMeta } from './kube-object.js';

/** The fields of a Pod that `isPodActive` reads. */
export interface PodPhase {
  readonly metadata: Pick<ObjectMeta, 'deletionTimestamp'>;
  readonly status?: { readonly phase?: string | undefined } | undefined;
}

/**
 * Returns whether a pod has neither finished nor a deletion timestamp, like `IsPodActive` of kube-controller-manager.
 */
export function isPodActive({ metadata, status }: PodPhase): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}
