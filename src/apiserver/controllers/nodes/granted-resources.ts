import { objectAt, type JsonObject } from '../../objects/api-object.js';

/** What a container may use, as its status tells it; a pod whose status tells none cannot be resized. */
export function grantedResources(container: JsonObject): JsonObject {
  const resources = objectAt(container, 'resources');
  const { requests } = resources;
  return { resources, ...(requests !== undefined && { allocatedResources: requests }) };
}
