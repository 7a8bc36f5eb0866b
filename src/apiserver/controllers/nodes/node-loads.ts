import { objectKey } from '../../../api/objects/object-key.js';
import { podResources } from '../../admission/pods/pod-resources.js';
import { add, resourceList, type ResourceList, countOf } from '../../objects/resource-list.js';
import {
  eachObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
  isJsonObject,
} from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { isPodFinished } from '../pod-control.js';
import { requiredTerms } from './affinity-terms.js';

/** The resources that a pod takes from its node. */
export interface PodLoad {
  readonly pod: ApiObject;
  readonly priority: number;
  readonly requests: ResourceList;
  /** Container ports with a host port. */
  readonly hostPorts: readonly JsonObject[];
  /** Required anti-affinity terms of the pod. */
  readonly antiAffinity: readonly JsonObject[];
}

export function loadOf(pod: ApiObject): PodLoad {
  const spec = objectAt(pod, 'spec');
  const sidecars = eachObject(spec.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ports = [...eachObject(spec.containers), ...sidecars].flatMap((container) => eachObject(container.ports));
  return {
    pod,
    priority: numberAt(spec, 'priority') ?? 0,
    requests: add(podResources(pod, 'requests'), resourceList(spec.overhead)),
    hostPorts: ports.filter(({ hostPort }) => hostPort !== undefined),
    antiAffinity: requiredTerms(pod, 'podAntiAffinity'),
  };
}

/** The bound and the nominated pods of each node. */
export class NodeLoads {
  private readonly bound = new Map<string, Map<string, PodLoad>>();
  /** Pods that wait for preempted pods to end, by node. */
  private readonly nominated = new Map<string, Map<string, PodLoad>>();
  private readonly unsubscribe: () => void;

  constructor(client: ClusterClient) {
    this.unsubscribe = follow(client.store, 'pods', ({ type, current: { object }, previous }) => {
      if (previous) this.place(previous.object, undefined);
      this.place(object, type === 'DELETED' || isPodFinished(object) ? undefined : loadOf(object));
    });
  }

  stop(): void {
    this.unsubscribe();
  }

  /** Returns the pods on the node, including terminating ones. */
  on(node: string): PodLoad[] {
    return [...(this.bound.get(node)?.values() ?? [])];
  }

  /**
   * Returns the pods that count against the room for a pod: those on the node, and nominated ones of at least its
   * priority.
   */
  besides(node: string, { pod, priority }: PodLoad): PodLoad[] {
    const awaited = [...(this.nominated.get(node)?.values() ?? [])].filter(
      (other) => other.priority >= priority && other.pod.metadata.uid !== pod.metadata.uid,
    );
    return [...this.on(node), ...awaited];
  }

  count(node: string): number {
    return this.bound.get(node)?.size ?? 0;
  }

  private place(pod: ApiObject, load: PodLoad | undefined): void {
    const node = stringAt(pod.spec, 'nodeName');
    const [places, name] =
      node === '' ? [this.nominated, stringAt(pod.status, 'nominatedNodeName')] : [this.bound, node];
    if (name === '') return;
    let loads = places.get(name);
    if (!loads) places.set(name, (loads = new Map<string, PodLoad>()));
    if (load) loads.set(objectKey(pod), load);
    else loads.delete(objectKey(pod));
  }
}

/** Returns the scheduler's reasons why a node has no room for a pod beside others. */
export function roomProblems(node: ApiObject, others: readonly PodLoad[], load: PodLoad): string[] {
  const taken = others.flatMap(({ hostPorts }) => hostPorts);
  const collides = load.hostPorts.some((port) => taken.some((other) => collide(port, other)));
  const port = collides ? ["node(s) didn't have free ports for the requested pod ports"] : [];
  return [...port, ...sizeProblems(node, others, load)];
}

/** Returns the exceeded resources; a node without `allocatable` is unlimited. */
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
