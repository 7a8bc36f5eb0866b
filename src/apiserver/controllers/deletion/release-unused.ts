import type { ApiObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import type { ClusterClient } from '../cluster-client.js';

/** Removes a protection finalizer from a deleted object that is not in use. */
export function releaseUnused(
  client: ClusterClient,
  resource: Resource,
  { finalizer, key }: { readonly finalizer: string; readonly key: string },
  isUsed: (object: ApiObject) => boolean,
): void {
  const object = client.get(resource, key);
  const { deletionTimestamp, finalizers = [] } = object?.metadata ?? {};
  if (!object || deletionTimestamp === undefined || !finalizers.includes(finalizer) || isUsed(object)) return;
  client.update(resource, object, (old) => {
    const left = (old.metadata.finalizers ?? []).filter((each) => each !== finalizer);
    return { ...old, metadata: { ...old.metadata, finalizers: left } };
  });
}
