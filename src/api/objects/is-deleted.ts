import type { KubeObject } from './kube-object.js';

/**
 * Reports whether a terminating object, as the server returned it from a write, has already been removed from storage.
 *
 * Finalizers (for namespaces, also those in `spec`) and a grace period keep a terminating object in storage. An object
 * without resourceVersion was removed by another deletion meanwhile.
 */
export function isDeleted(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds = 0, resourceVersion } = object.metadata;
  const { spec } = object as { readonly spec?: { readonly finalizers?: readonly string[] } };
  const isKept = Boolean(finalizers?.length) || Boolean(spec?.finalizers?.length) || deletionGracePeriodSeconds > 0;
  return deletionTimestamp !== undefined && (!isKept || !resourceVersion);
}
