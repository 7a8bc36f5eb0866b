import { stringifyJson } from '../../../base/json.js';
import type { Resource } from '../../resources/resource.js';
import type { StoredObject } from '../../storage/stored-object.js';

/** An object's JSON in a version; made once when it is the stored version. */
export function objectJson(resource: Resource, stored: StoredObject): string {
  const object = resource.codec.fromStorage(stored.object);
  return object === stored.object ? stored.json : stringifyJson(object);
}

/** An object's JSON as an item of a list, where built-in kinds leave kind and apiVersion out. */
export function listItemJson(resource: Resource, stored: StoredObject): string {
  const text = objectJson(resource, stored);
  if (resource.codec.hasTypedItems) return text;
  const head = `{"kind":${JSON.stringify(resource.kind)},"apiVersion":${JSON.stringify(resource.apiVersion)},`;
  return text.startsWith(head) ? `{${text.slice(head.length)}` : text;
}
