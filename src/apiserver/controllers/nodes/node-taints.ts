import { deepEqual } from '../../../base/deep-equal.js';
import { eachObject, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import type { ClusterClient } from '../cluster-client.js';

const PREFIX = 'node.kubernetes.io/';
/** Taints by condition type and status: node_lifecycle_controller.go. */
const OF_CONDITIONS: Readonly<Record<string, string>> = {
  'Ready False': 'not-ready',
  'Ready Unknown': 'unreachable',
  'MemoryPressure True': 'memory-pressure',
  'DiskPressure True': 'disk-pressure',
  'PIDPressure True': 'pid-pressure',
  'NetworkUnavailable True': 'network-unavailable',
};
/** Taints that evict pods. */
const OF_READINESS = new Set(['not-ready', 'unreachable']);
const OWN = new Set([...Object.values(OF_CONDITIONS), 'unschedulable'].map((name) => `${PREFIX}${name}`));

/** Sets the taints of the node by its conditions; pods are not evicted if no node is ready. */
export function settleTaints(client: ClusterClient, nodes: Resource, node: ApiObject): void {
  const taints = settledTaints(node, [...client.list(nodes)].some(isNodeReady), client.now);
  if (!taints) return;
  client.update(nodes, node, (old) => {
    const { taints: _former, ...spec } = objectAt(old, 'spec');
    return { ...old, spec: { ...spec, ...(taints.length > 0 && { taints }) } };
  });
}

export function isNodeReady({ status }: ApiObject): boolean {
  const conditions = eachObject(objectAt({ status }, 'status').conditions);
  return conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
}

/** Returns the taints by the node's conditions and `unschedulable`; undefined if unchanged. */
function settledTaints({ spec, status }: ApiObject, isEvicting: boolean, now: string): JsonObject[] | undefined {
  const conditions = eachObject(objectAt({ status }, 'status').conditions);
  const names = conditions
    .map((condition) => OF_CONDITIONS[`${String(condition.type)} ${String(condition.status)}`])
    .filter((name) => name !== undefined);
  const isCordoned = objectAt({ spec }, 'spec').unschedulable === true;
  const wanted = [
    ...[...names, ...(isCordoned ? ['unschedulable'] : [])].map((name) => taint(name, 'NoSchedule')),
    ...names.filter((name) => isEvicting && OF_READINESS.has(name)).map((name) => taint(name, 'NoExecute')),
  ];
  const present = eachObject(objectAt({ spec }, 'spec').taints);
  const isWanted = (each: JsonObject): boolean => wanted.some((one) => isSame(one, each));
  const kept = present.filter((each) => !OWN.has(String(each.key)) || isWanted(each));
  const added = wanted.filter((one) => !present.some((each) => isSame(one, each)));
  const settled = [...kept, ...added.map((one) => ({ ...one, timeAdded: now }))];
  return deepEqual(settled, present) ? undefined : settled;
}

function taint(name: string, effect: string): JsonObject {
  return { key: `${PREFIX}${name}`, effect };
}

function isSame(a: JsonObject, b: JsonObject): boolean {
  return a.key === b.key && a.effect === b.effect;
}
