import type { Metadata } from '../objects/api-object.js';
import type { Preconditions } from './write-options.js';

/** What etcd3's store says of an object that does not meet the preconditions of an update; undefined when it does. */
export function failedPrecondition(
  key: string,
  { uid, resourceVersion }: Preconditions,
  metadata: Metadata,
): string | undefined {
  const said = (what: string, wanted: string, present = ''): string =>
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${present}`;
  if (uid && uid !== metadata.uid) return said('UID', uid, metadata.uid);
  if (resourceVersion && resourceVersion !== metadata.resourceVersion)
    return said('ResourceVersion', resourceVersion, metadata.resourceVersion);
  return undefined;
}
