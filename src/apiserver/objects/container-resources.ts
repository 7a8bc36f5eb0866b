import { eachObject, objectAt, type JsonObject } from './api-object.js';
import { add, max, resourceList, type ResourceList } from './resource-list.js';

/**
 * Returns the total requests or limits of a pod's containers: those of the containers, or those of the init containers
 * while they run if that is more. Sidecars count in both cases.
 */
export function containerResources(spec: JsonObject, member: 'requests' | 'limits'): ResourceList {
  const of = (container: JsonObject): ResourceList => resourceList(objectAt(container, 'resources')[member]);
  let total: ResourceList = new Map();
  for (const container of eachObject(spec.containers)) total = add(total, of(container));
  let sidecars: ResourceList = new Map();
  let largest: ResourceList = new Map();
  for (const container of eachObject(spec.initContainers)) {
    const own = of(container);
    if (container.restartPolicy === 'Always') {
      total = add(total, own);
      sidecars = add(sidecars, own);
      largest = max(largest, sidecars);
    } else largest = max(largest, add(own, sidecars));
  }
  return max(total, largest);
}
