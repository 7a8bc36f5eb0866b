import { badRequest } from '../../errors/status-error.js';
import type { ApiObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';

export function namespaceOf(resource: Resource, namespace: string | undefined): string | undefined {
  return resource.namespaced ? namespace : undefined;
}

/**
 * Sets the namespace of the request in the object; removes it for cluster-scoped resources.
 *
 * @throws StatusError when the object names another namespace
 */
export function placeInNamespace(resource: Resource, object: ApiObject, namespace: string | undefined): void {
  const { metadata } = object;
  const given = metadata.namespace;
  if (!resource.namespaced) delete metadata.namespace;
  else if (given && namespace !== undefined && given !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  else if (namespace !== undefined) metadata.namespace = namespace;
}

export function assertName({ metadata }: ApiObject, name: string): void {
  if (!metadata.name)
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
}
