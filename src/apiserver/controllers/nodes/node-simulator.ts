import { eachObject } from '../../objects/api-object.js';
import { objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow, KeyQueue } from '../controller.js';
import { settleTaints } from './node-taints.js';

/** What a kubelet that is well says of itself, in its own order and words: pkg/kubelet/nodestatus/setters.go. */
const CONDITIONS = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

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
    this.makeReady(node);
    const ready = this.client.get(this.nodes, name);
    // So that pods can come at once.
    if (ready) settleTaints(this.client, this.nodes, ready);
  }

  /** A node that somebody else made, and says nothing of itself. */
  private reconcile(key: string): void {
    const node = this.client.get(this.nodes, key);
    if (node && !eachObject(objectAt(node, 'status').conditions).some(({ type }) => type === 'Ready'))
      this.makeReady(node);
  }

  private makeReady(node: ApiObject): void {
    const present = objectAt(node, 'status');
    const { capacity = CAPACITY } = present;
    this.client.updateStatus(this.nodes, node, {
      ...present,
      capacity,
      allocatable: present.allocatable ?? capacity,
      addresses: this.addressesOf(node),
      conditions: completed(present.conditions, conditionsAt(this.client.now)),
      nodeInfo: {
        ...objectAt(present, 'nodeInfo'),
        architecture: 'amd64',
        operatingSystem: 'linux',
        kubeletVersion: 'v1.36.3',
      },
    });
  }

  private addressesOf({ metadata, status }: ApiObject): JsonObject[] {
    const present = eachObject(objectAt({ status }, 'status').addresses);
    const isNumbered = present.some(({ type }) => type === 'InternalIP');
    return completed(present, [
      ...(isNumbered ? [] : [{ type: 'InternalIP', address: this.freeAddress() }]),
      { type: 'Hostname', address: metadata.name },
    ]);
  }

  private freeAddress(): string {
    const nodes = [...this.client.list(this.nodes)];
    const taken = new Set(
      nodes.flatMap((node) => eachObject(objectAt(node, 'status').addresses)).map(({ address }) => address),
    );
    for (let number = 1; ; number++) {
      const address = `10.1.${number >>> 8}.${number & 0xff}`;
      if (!taken.has(address)) return address;
    }
  }
}

function conditionsAt(now: string): JsonObject[] {
  const times = { lastHeartbeatTime: now, lastTransitionTime: now };
  return CONDITIONS.map(([type, status, reason, message]) => ({ type, status, ...times, reason, message }));
}

/** What is there, and of the others those whose types are not. */
function completed(present: unknown, others: readonly JsonObject[]): JsonObject[] {
  const there = eachObject(present);
  return [...there, ...others.filter(({ type }) => !there.some((one) => one.type === type))];
}
