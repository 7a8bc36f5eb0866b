import type { Metadata } from '../objects/api-object.js';

/** metav1.Preconditions. */
export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Returns why an object fails the preconditions of a deletion, or undefined when it meets them. */
export function unmetPrecondition({ uid, resourceVersion }: Preconditions, metadata: Metadata): string | undefined {
  if (uid !== undefined && uid !== metadata.uid) {
    return `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`;
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    return `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`;
  }
  return undefined;
}

/** Returns the error of etcd3's store for an object that fails preconditions, or undefined when it meets them. */
export function failedPrecondition(
  key: string,
  { uid, resourceVersion }: Preconditions,
  metadata: Metadata,
): string | undefined {
  const failure = (what: string, wanted: string, present = ''): string =>
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${present}`;
  if (uid && uid !== metadata.uid) return failure('UID', uid, metadata.uid);
  if (resourceVersion && resourceVersion !== metadata.resourceVersion)
    return failure('ResourceVersion', resourceVersion, metadata.resourceVersion);
  return undefined;
}
