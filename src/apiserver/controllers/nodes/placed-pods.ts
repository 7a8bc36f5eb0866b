import type { ApiObject } from '../../objects/api-object.js';
import type { PodLoad } from './node-loads.js';

/** A node and the pods on it. */
export interface PlacedPods {
  readonly node: ApiObject;
  readonly pods: readonly PodLoad[];
}

/** Returns the number of counted pods by topology value, i.e. the value of a label of their nodes. */
export function countByTopology(
  placed: readonly PlacedPods[],
  topologyKey: string,
  isCounted: (pod: ApiObject) => boolean,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { node, pods } of placed) {
    const value = node.metadata.labels?.[topologyKey];
    if (value === undefined) continue;
    const count = pods.filter(({ pod }) => isCounted(pod)).length;
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return counts;
}
