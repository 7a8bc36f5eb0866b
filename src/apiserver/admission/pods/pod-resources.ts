import { objectAt, type ApiObject } from '../../objects/api-object.js';
import { resourceList, type ResourceList } from '../../objects/resource-list.js';
import { containerResources } from '../../objects/container-resources.js';

const POD_LEVEL = new Set(['cpu', 'memory']);

/** Returns the requests or limits of a pod: the sum of its containers, overridden by those of the pod itself. */
export function podResources(pod: ApiObject, member: 'requests' | 'limits'): ResourceList {
  const spec = objectAt(pod, 'spec');
  const podLevel = [...resourceList(objectAt(spec, 'resources')[member])].filter(([name]) => POD_LEVEL.has(name));
  return new Map([...containerResources(spec, member), ...podLevel]);
}
