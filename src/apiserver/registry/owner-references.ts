import { deepEqual } from '../../base/deep-equal.js';
import type { Metadata } from '../objects/api-object.js';

/**
 * Removes duplicate owner references and adds a warning for the client: dedupOwnerReferences of handlers/rest.go,
 * called before and after admission. `when` is appended to the warning.
 */
export function withoutRepeatedOwners(metadata: Metadata, warnings: string[] | undefined, when = ''): Metadata {
  const { ownerReferences = [] } = metadata;
  const isRepeated = (_owner: unknown, index: number): boolean =>
    ownerReferences.slice(0, index).some((other) => deepEqual(other, ownerReferences[index]));
  const repeated = ownerReferences.filter(isRepeated);
  if (repeated.length === 0) return metadata;
  const seen = repeated.map(({ uid }) => uid).join(', ');
  warnings?.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${seen}`,
  );
  return { ...metadata, ownerReferences: ownerReferences.filter((owner, index) => !isRepeated(owner, index)) };
}

/** Warning suffix for duplicates added by admission or a patch. */
export const AFTER_ADMISSION = ' after mutating admission happens';
