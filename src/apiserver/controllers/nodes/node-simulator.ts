import { NOT_READY } from '../../admission/taint-nodes-by-condition.js';
import { objectAt, stringAt, type ApiObject, type JsonObject } from '../../object.js';
import { eachObject } from '../../builtin/set-default.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow, KeyQueue } from '../controller.js';
import { EventRecorder } from '../event-recorder.js';
import { suitsNode } from './node-fit.js';

const CAPACITY = { cpu: '32', memory: '256Gi', pods: '110' };
const PODS_PER_NODE = 250;

export interface NodeSimulatorOptions {
  readonly nodes: readonly string[];
}

/** Makes nodes, and plays the scheduler: puts pods on nodes that suit them. */
export class NodeSimulator {
  private readonly queue: KeyQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly pods;
  private readonly nodes;
  private readonly events;

  constructor(
    private readonly client: ClusterClient,
    private readonly options: NodeSimulatorOptions,
  ) {
    this.pods = client.resource('v1', 'pods');
    this.nodes = client.resource('v1', 'nodes');
    this.events = new EventRecorder(client, 'default-scheduler');
    this.queue = new KeyQueue('node-simulator', client.clock, client.logger, (key) => this.reconcile(key));
    for (const [index, name] of options.nodes.entries()) this.createNode(name, index);
    this.unsubscribe = [
      follow(client.store, this.pods.storage, (event) => {
        if (event.type !== 'DELETED') this.queue.add(event.current.key);
      }),
      follow(client.store, this.nodes.storage, ({ type, current }) => {
        if (type !== 'DELETED') this.queue.add(current.key);
      }),
      client.store.collection(this.nodes.storage).subscribe(() => {
        for (const pod of client.list(this.pods))
          if (stringAt(pod.spec, 'nodeName') === '') this.queue.add(podKey(pod));
      }),
    ];
  }

  stop(): void {
    this.queue.stop();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private createNode(name: string, index: number): void {
    if (this.client.get(this.nodes, name)) return;
    const labels = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
    const node = this.client.create(this.nodes, {
      metadata: { name, labels },
      spec: { podCIDR: `10.244.${index}.0/24` },
    });
    const now = this.client.now;
    const condition = (type: string, status: string, reason: string, message: string): JsonObject => ({
      type,
      status,
      lastHeartbeatTime: now,
      lastTransitionTime: now,
      reason,
      message,
    });
    this.client.updateStatus(this.nodes, node, {
      capacity: CAPACITY,
      allocatable: CAPACITY,
      addresses: [
        { type: 'InternalIP', address: `10.1.0.${index + 1}` },
        { type: 'Hostname', address: name },
      ],
      conditions: [condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status')],
      nodeInfo: {
        ...objectAt(objectAt(node, 'status'), 'nodeInfo'),
        architecture: 'amd64',
        operatingSystem: 'linux',
        kubeletVersion: 'v1.36.3',
      },
    });
    const ready = this.client.get(this.nodes, name);
    if (ready) this.admitPods(ready);
  }

  private reconcile(key: string): void {
    const node = this.client.get(this.nodes, key);
    if (node) this.admitPods(node);
    const pod = this.client.get(this.pods, key);
    if (!pod) return;
    if (pod.metadata.deletionTimestamp === undefined && stringAt(pod.spec, 'nodeName') === '') this.schedule(pod);
  }

  /** Takes the taint that a node came with from any that does not say it is not ready: it has its kubelet here. */
  private admitPods(node: ApiObject): void {
    const isReady = eachObject(objectAt(node, 'status').conditions).every(
      ({ type, status }) => type !== 'Ready' || status === 'True',
    );
    const isTaint = ({ key, effect }: JsonObject): boolean => key === NOT_READY.key && effect === NOT_READY.effect;
    if (!isReady || !eachObject(objectAt(node, 'spec').taints).some(isTaint)) return;
    this.client.update(this.nodes, node, (old) => {
      const { taints, ...spec } = objectAt(old, 'spec');
      const left = eachObject(taints).filter((taint) => !isTaint(taint));
      return { ...old, spec: { ...spec, ...(left.length > 0 && { taints: left }) } };
    });
  }

  private schedule(pod: ApiObject): void {
    if (
      eachObject(objectAt(pod, 'spec').schedulingGates).length > 0 ||
      stringAt(pod.spec, 'schedulerName') !== 'default-scheduler'
    )
      return;
    const fitting = [...this.client.list(this.nodes)].filter((node) => suitsNode(node, pod, this.runtimeSelector(pod)));
    const [node] = fitting
      .map((candidate) => ({ candidate, load: this.loadOf(candidate) }))
      .sort((a, b) => a.load - b.load);
    if (!node || node.load >= PODS_PER_NODE) {
      this.markUnschedulable(pod);
      return;
    }
    this.client.bind(this.pods, pod, node.candidate);
    const { name, namespace = '' } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${node.candidate.metadata.name}`;
    this.events.record(this.pods, pod, { reason: 'Scheduled', message });
  }

  /** The node labels the pod's runtime class asks for. */
  private runtimeSelector(pod: ApiObject): JsonObject {
    const name = stringAt(pod.spec, 'runtimeClassName');
    const runtimeClass = name === '' ? undefined : this.client.store.get('runtimeclasses.node.k8s.io', name)?.object;
    return objectAt(objectAt(runtimeClass, 'scheduling'), 'nodeSelector');
  }

  private loadOf({ metadata }: ApiObject): number {
    let count = 0;
    for (const pod of this.client.list(this.pods)) if (stringAt(pod.spec, 'nodeName') === metadata.name) count++;
    return count;
  }

  private markUnschedulable(pod: ApiObject): void {
    const status = objectAt(pod, 'status');
    if (eachObject(status.conditions).some(({ type }) => type === 'PodScheduled')) return;
    const message = `0/${this.client.store.collection(this.nodes.storage).objects.size} nodes are available.`;
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: this.client.now,
      reason: 'Unschedulable',
      message,
    };
    this.client.updateStatus(this.pods, pod, { ...status, conditions: [...eachObject(status.conditions), condition] });
    this.events.record(this.pods, pod, { reason: 'FailedScheduling', message, type: 'Warning' });
  }
}

function podKey({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
