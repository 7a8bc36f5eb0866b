import { NOT_READY } from '../../admission/taint-nodes-by-condition.js';
import { objectAt, type ApiObject, type JsonObject } from '../../object.js';
import { eachObject } from '../../builtin/set-default.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow, KeyQueue } from '../controller.js';

const CAPACITY = { cpu: '32', memory: '256Gi', pods: '110' };

export interface NodeSimulatorOptions {
  readonly nodes: readonly string[];
}

/** Makes nodes, and plays what readies them. */
export class NodeSimulator {
  private readonly queue: KeyQueue;
  private readonly unsubscribe: () => void;
  private readonly nodes;

  constructor(
    private readonly client: ClusterClient,
    private readonly options: NodeSimulatorOptions,
  ) {
    this.nodes = client.resource('v1', 'nodes');
    this.queue = new KeyQueue('node-simulator', client.clock, client.logger, (key) => this.reconcile(key));
    for (const [index, name] of options.nodes.entries()) this.createNode(name, index);
    this.unsubscribe = follow(client.store, this.nodes.storage, ({ type, current }) => {
      if (type !== 'DELETED') this.queue.add(current.key);
    });
  }

  stop(): void {
    this.queue.stop();
    this.unsubscribe();
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
}
