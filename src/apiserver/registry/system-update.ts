import { deepClone } from '../../base/deep-clone.js';
import { deepEqual } from '../../base/deep-equal.js';
import { keyOf } from '../../api/objects/object-key.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import type { Registry } from './registry.js';

/** Changes an object on behalf of the server: bypasses admission, field managers and validation. */
export function systemUpdate(
  registry: Registry,
  resource: Resource,
  { name, namespace }: ApiObject['metadata'],
  change: (object: ApiObject) => void,
): ApiObject {
  const present = registry.get(resource, name, namespace).object;
  const next = deepClone(present);
  change(next);
  if (deepEqual(next, present)) return present;
  return registry.store.put(resource.storage, keyOf(name, namespace), next).object;
}
