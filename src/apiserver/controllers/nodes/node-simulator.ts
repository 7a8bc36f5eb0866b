import { eachObject } from '../../builtin/set-default.js';
import { objectAt, type ApiObject, type JsonObject } from '../../object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow, KeyQueue } from '../controller.js';
import { settleTaints } from './node-taints.js';

const CAPACITY = { cpu: '1k', memory: '1Ti', 'ephemeral-storage': '1Ti', pods: '250' };

/** How many ranges of 256 addresses 10.244.0.0/16 has; further nodes get none, as from kube-controller-manager. */
const POD_RANGES = 256;

export interface NodeSimulatorOptions {
  readonly nodes: readonly string[];
}

/** Makes nodes, and plays the kubelet of each there is, as far as the node itself goes. */
export class NodeSimulator {
  private readonly queue: KeyQueue;
  private readonly unsubscribe: () => void;
  private readonly nodes;

  constructor(
    private readonly client: ClusterClient,
    options: NodeSimulatorOptions,
  ) {
    this.nodes = client.resource('v1', 'nodes');
    this.queue = new KeyQueue('node-simulator', client.clock, client.logger, (key) => this.reconcile(key));
    for (const [index, name] of options.nodes.entries()) this.createNode(name, index);
    this.unsubscribe = follow(client.store, this.nodes.storage, ({ type, current }) => {
      if (type === 'ADDED') this.queue.add(current.key);
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
      spec: { ...(index < POD_RANGES && { podCIDR: `10.244.${index}.0/24` }) },
    });
    const number = index + 1;
    this.makeReady(node, [
      { type: 'InternalIP', address: `10.1.${number >>> 8}.${number & 0xff}` },
      { type: 'Hostname', address: name },
    ]);
    const ready = this.client.get(this.nodes, name);
    // So that pods can come at once.
    if (ready) settleTaints(this.client, this.nodes, ready);
  }

  /** A node that somebody else made, and says nothing of itself. */
  private reconcile(key: string): void {
    const node = this.client.get(this.nodes, key);
    if (node && !eachObject(objectAt(node, 'status').conditions).some(({ type }) => type === 'Ready'))
      this.makeReady(node, []);
  }

  private makeReady(node: ApiObject, addresses: readonly JsonObject[]): void {
    const { now } = this.client;
    const present = objectAt(node, 'status');
    const { capacity = CAPACITY } = present;
    const ready = {
      type: 'Ready',
      status: 'True',
      lastHeartbeatTime: now,
      lastTransitionTime: now,
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
    };
    this.client.updateStatus(this.nodes, node, {
      ...present,
      capacity,
      allocatable: present.allocatable ?? capacity,
      ...(addresses.length > 0 && { addresses }),
      conditions: [...eachObject(present.conditions), ready],
      nodeInfo: {
        ...objectAt(present, 'nodeInfo'),
        architecture: 'amd64',
        operatingSystem: 'linux',
        kubeletVersion: 'v1.36.3',
      },
    });
  }
}
