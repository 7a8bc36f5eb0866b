import type { Pod } from './kinds.js';

/**
 * Returns whether a pod has neither finished nor a deletion timestamp, like `IsPodActive` of kube-controller-manager.
 */
export function isPodActive({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}
