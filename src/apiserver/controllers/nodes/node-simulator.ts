import { eachObject, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { settleTaints } from './node-taints.js';

/** Conditions of a healthy kubelet, with its order and messages: pkg/kubelet/nodestatus/setters.go. */
const CONDITIONS = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

const CAPACITY = { cpu: '1k', memory: '1Ti', 'ephemeral-storage': '1Ti', pods: '250' };

/** Number of /24 ranges in 10.244.0.0/16; further nodes get no range, as in kube-controller-manager. */
const POD_RANGES = 256;

export interface NodeSimulatorOptions {
  readonly nodes: readonly string[];
}

/** Creates nodes, and simulates the status that the kubelet of each node reports. */
export class NodeSimulator {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: () => void;
  private readonly nodes;

  constructor(
    private readonly client: ClusterClient,
    options: NodeSimulatorOptions,
  ) {
    this.nodes = client.resource('v1', 'nodes');
    this.queue = new ReconcileQueue('node-simulator', client.clock, client.logger, (key) => this.reconcile(key));
    for (const [index, name] of options.nodes.entries()) this.createNode(name, index);
    this.unsubscribe = follow(client.store, this.nodes.storage, ({ type, current }) => {
      if (type === 'ADDED') this.queue.add(current.key);
    });
  }

  stop(): void {
    this.queue.shutDown();
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
    // Pods can be scheduled immediately.
    if (ready) settleTaints(this.client, this.nodes, ready);
  }

  /** Makes a node ready that was created by a client without a Ready condition. */
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

/** Returns the present entries, and those of the others with a missing type. */
function completed(present: unknown, others: readonly JsonObject[]): JsonObject[] {
  const there = eachObject(present);
  return [...there, ...others.filter(({ type }) => !there.some((one) => one.type === type))];
}
