import { countOf, resourceList } from '../../objects/resource-list.js';
import { isJsonObject, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { PodLoad } from './node-loads.js';

/** Why a node has no room for a pod beside others, in the scheduler's words. */
export function roomProblems(node: ApiObject, others: readonly PodLoad[], load: PodLoad): string[] {
  const taken = others.flatMap(({ hostPorts }) => hostPorts);
  const collides = load.hostPorts.some((port) => taken.some((other) => collide(port, other)));
  const port = collides ? ["node(s) didn't have free ports for the requested pod ports"] : [];
  return [...port, ...sizeProblems(node, others, load)];
}

/** A node that says nothing of its size is large enough. */
function sizeProblems(node: ApiObject, others: readonly PodLoad[], { requests }: PodLoad): string[] {
  const { allocatable } = objectAt(node, 'status');
  if (!isJsonObject(allocatable)) return [];
  const size = resourceList(allocatable);
  const sizeOf = (name: string): bigint => size.get(name)?.nano ?? 0n;
  const isShort = ([name, { nano }]: [string, { nano: bigint }]): boolean =>
    nano > 0n && others.reduce((sum, other) => sum + (other.requests.get(name)?.nano ?? 0n), nano) > sizeOf(name);
  const isFull = countOf(others.length + 1).nano > sizeOf('pods');
  return [
    ...(isFull ? ['Too many pods'] : []),
    ...[...requests].filter(isShort).map(([name]) => `Insufficient ${name}`),
  ];
}

const ANY_ADDRESS = '0.0.0.0';

function collide(a: JsonObject, b: JsonObject): boolean {
  if (a.hostPort !== b.hostPort || a.protocol !== b.protocol) return false;
  const [own, other] = [a, b].map(({ hostIP }) => (typeof hostIP === 'string' && hostIP !== '' ? hostIP : ANY_ADDRESS));
  return own === other || own === ANY_ADDRESS || other === ANY_ADDRESS;
}
