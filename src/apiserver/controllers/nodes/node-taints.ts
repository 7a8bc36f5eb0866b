import { deepEqual } from '../../../base/deep-equal.js';
import { eachObject } from '../../builtin/set-default.js';
import { objectAt, type ApiObject, type JsonObject } from '../../object.js';

const PREFIX = 'node.kubernetes.io/';
/** By a condition and its status, the taint it makes of a node: node_lifecycle_controller.go. */
const OF_CONDITIONS: Readonly<Record<string, string>> = {
  'Ready False': 'not-ready',
  'Ready Unknown': 'unreachable',
  'MemoryPressure True': 'memory-pressure',
  'DiskPressure True': 'disk-pressure',
  'PIDPressure True': 'pid-pressure',
  'NetworkUnavailable True': 'network-unavailable',
};
/** Those that pods have to go for. */
const OF_READINESS = new Set(['not-ready', 'unreachable']);
const OWN = new Set([...Object.values(OF_CONDITIONS), 'unschedulable'].map((name) => `${PREFIX}${name}`));

/** The node's taints as its conditions want them, and as it is cordoned; undefined if they are so already. */
export function settledTaints({ spec, status }: ApiObject, now: string): JsonObject[] | undefined {
  const conditions = eachObject(objectAt({ status }, 'status').conditions);
  const names = conditions
    .map((condition) => OF_CONDITIONS[`${String(condition.type)} ${String(condition.status)}`])
    .filter((name) => name !== undefined);
  const isCordoned = objectAt({ spec }, 'spec').unschedulable === true;
  const wanted = [
    ...[...names, ...(isCordoned ? ['unschedulable'] : [])].map((name) => taint(name, 'NoSchedule')),
    ...names.filter((name) => OF_READINESS.has(name)).map((name) => taint(name, 'NoExecute')),
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
