import { eachObject } from '../../builtin/set-default.js';
import { objectAt, type ApiObject, type JsonObject } from '../../object.js';
import { add, max, resourceList, type ResourceList } from '../quota/resource-list.js';

const POD_LEVEL = new Set(['cpu', 'memory']);

/**
 * What a pod asks for or is limited to: its containers together, or its init containers while they run, if that is
 * more. Sidecars count with both. What the pod itself names stands instead of its sum.
 */
export function podResources(pod: ApiObject, member: 'requests' | 'limits'): ResourceList {
  const spec = objectAt(pod, 'spec');
  const of = (container: JsonObject): ResourceList => resourceList(objectAt(container, 'resources')[member]);
  let total: ResourceList = new Map();
  for (const container of eachObject(spec.containers)) total = add(total, of(container));
  let [sidecars, largest]: ResourceList[] = [new Map(), new Map()];
  for (const container of eachObject(spec.initContainers)) {
    const own = of(container);
    if (container.restartPolicy === 'Always') {
      total = add(total, own);
      sidecars = add(sidecars ?? new Map(), own);
      largest = max(largest ?? new Map(), sidecars);
    } else largest = max(largest ?? new Map(), add(own, sidecars ?? new Map()));
  }
  const podLevel = [...resourceList(objectAt(spec, 'resources')[member])].filter(([name]) => POD_LEVEL.has(name));
  return new Map([...max(total, largest ?? new Map()), ...podLevel]);
}
