import { stringifyJson } from '../../../base/json.js';
import type { Resource } from '../../resources/resource.js';
import type { StoredObject } from '../../storage/stored-object.js';

/** Returns an object's JSON in a version; it is cached for the stored version. */
export function objectJson(resource: Resource, stored: StoredObject): string {
  const object = resource.codec.fromStorage(stored.object);
  return object === stored.object ? stored.json : stringifyJson(object);
}

/** Returns an object's JSON as a list item; built-in kinds omit kind and apiVersion in lists. */
export function listItemJson(resource: Resource, stored: StoredObject): string {
  const text = objectJson(resource, stored);
  if (resource.codec.hasTypedItems) return text;
  const head = `{"kind":${JSON.stringify(resource.kind)},"apiVersion":${JSON.stringify(resource.apiVersion)},`;
  return text.startsWith(head) ? `{${text.slice(head.length)}` : text;
}
