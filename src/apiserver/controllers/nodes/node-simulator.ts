import { objectAt, type ApiObject, type JsonObject } from '../../object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow, KeyQueue } from '../controller.js';
import { settledTaints } from './node-taints.js';

const CAPACITY = { cpu: '1k', memory: '1Ti', 'ephemeral-storage': '1Ti', pods: '250' };

export interface NodeSimulatorOptions {
  readonly nodes: readonly string[];
}

/** Makes nodes, and taints all there are as their conditions want it. */
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
    if (ready) this.settle(ready);
  }

  private reconcile(key: string): void {
    const node = this.client.get(this.nodes, key);
    if (node) this.settle(node);
  }

  /** Taints the node as its conditions want it; so the taint goes that it came with, for it has its kubelet here. */
  private settle(node: ApiObject): void {
    const taints = settledTaints(node, this.client.now);
    if (!taints) return;
    this.client.update(this.nodes, node, (old) => {
      const { taints: _former, ...spec } = objectAt(old, 'spec');
      return { ...old, spec: { ...spec, ...(taints.length > 0 && { taints }) } };
    });
  }
}
