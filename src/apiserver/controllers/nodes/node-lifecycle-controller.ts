import { deepEqual } from '../../../base/deep-equal.js';
import { setPodCondition } from '../../handlers/subresource/pods/pod-condition.js';
import { type ApiObject, type JsonObject, eachObject, objectAt, stringAt } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { isNodeReady, settleTaints } from './node-taints.js';

const LEASES = 'kube-node-lease';
/** Time without a heartbeat before a node is unknown: until the first heartbeat, and after it. */
const [STARTUP_MS, MONITOR_MS] = [60_000, 50_000];
const OF_KUBELET = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The last heartbeat of a node. */
interface Heartbeat {
  readonly ready: string;
  readonly lease: string;
  readonly atMs: number;
}

/** Sets the taints of nodes by their conditions, and marks nodes without heartbeats as unknown. */
export class NodeLifecycleController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly nodes;
  private readonly pods;
  private readonly leases;
  private readonly events;
  private readonly heartbeats = new Map<string, Heartbeat>();

  constructor(
    private readonly client: ClusterClient,
    /** Set if kubelets are simulated: nodes without a lease then count as alive. */
    private readonly hasKubelets: boolean,
  ) {
    this.nodes = client.resource('v1', 'nodes');
    this.pods = client.resource('v1', 'pods');
    this.leases = client.resource('coordination.k8s.io/v1', 'leases');
    this.events = new ComponentEventRecorder(client, 'node-controller');
    this.queue = new ReconcileQueue('node-lifecycle', client.clock, client.logger, (name) => this.reconcile(name));
    this.unsubscribe = [
      follow(client.store, this.nodes.storage, ({ type, current, previous }) => {
        if (previous && isNodeReady(previous.object) !== (type !== 'DELETED' && isNodeReady(current.object)))
          for (const { metadata } of this.client.list(this.nodes)) this.queue.add(metadata.name);
        if (type !== 'MODIFIED') this.recordEvent(current.object, type);
        if (type === 'DELETED') this.heartbeats.delete(current.key);
        else this.queue.add(current.key);
      }),
      client.store.collection(this.leases.storage).subscribe(({ current: { object } }) => {
        if (object.metadata.namespace === LEASES) this.queue.add(object.metadata.name);
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private recordEvent(node: ApiObject, type: 'ADDED' | 'DELETED'): void {
    const { name } = node.metadata;
    const [reason, what] =
      type === 'ADDED'
        ? ['RegisteredNode', `Registered Node ${name} in Controller`]
        : ['RemovingNode', `Removing Node ${name} from Controller`];
    this.events.record(this.nodes, node, { reason, message: `Node ${name} event: ${what}` });
  }

  private reconcile(name: string): void {
    const node = this.client.get(this.nodes, name);
    if (!node) return;
    settleTaints(this.client, this.nodes, node);
    const lease = this.client.get(this.leases, `${LEASES}/${name}`);
    if (this.hasKubelets && !lease) return;
    const graceMs = readyOf(node) ? MONITOR_MS : STARTUP_MS;
    const left = this.heartbeatOf(node, lease) + graceMs - this.client.clock.now();
    if (left >= 0) this.queue.addAfter(name, left + 1);
    else this.lose(node);
  }

  /** Returns the time of the last heartbeat in milliseconds, by the node's status or its lease. */
  private heartbeatOf(node: ApiObject, lease: ApiObject | undefined): number {
    const { name, creationTimestamp = '' } = node.metadata;
    const known = this.heartbeats.get(name);
    const signs = { ready: stringAt(readyOf(node), 'lastHeartbeatTime'), lease: stringAt(lease?.spec, 'renewTime') };
    if (known?.ready === signs.ready && known.lease === signs.lease) return known.atMs;
    const isSilent = signs.ready === '' && signs.lease === '';
    const atMs = isSilent ? Date.parse(creationTimestamp) : this.client.clock.now();
    this.heartbeats.set(name, { ...signs, atMs });
    return atMs;
  }

  private lose(node: ApiObject): void {
    const wasReady = isNodeReady(node);
    const conditions = unknownConditions(node, this.client.now);
    if (deepEqual(conditions, objectAt(node, 'status').conditions)) return;
    this.client.updateStatus(this.nodes, node, { ...objectAt(node, 'status'), conditions });
    if (!wasReady) return;
    const { name } = node.metadata;
    this.events.record(this.nodes, node, {
      reason: 'NodeNotReady',
      message: `Node ${name} status is now: NodeNotReady`,
    });
    for (const pod of [...this.client.list(this.pods)])
      if (stringAt(pod.spec, 'nodeName') === name) this.markUnready(pod);
  }

  private markUnready(pod: ApiObject): void {
    const ready = readyOf(pod);
    if (ready?.status !== 'True') return;
    const status = { ...objectAt(pod, 'status') };
    setPodCondition(status, { ...ready, type: 'Ready', status: 'False' }, this.client.now);
    this.client.updateStatus(this.pods, pod, status);
    this.events.record(this.pods, pod, { reason: 'NodeNotReady', message: 'Node is not ready', type: 'Warning' });
  }
}

function readyOf({ status }: ApiObject): JsonObject | undefined {
  return eachObject(objectAt({ status }, 'status').conditions).find(({ type }) => type === 'Ready');
}

/** Returns the conditions of a node without heartbeats. */
function unknownConditions({ metadata, status }: ApiObject, now: string): JsonObject[] {
  const present = eachObject(objectAt({ status }, 'status').conditions);
  const silenced = present.map((condition) => {
    if (!OF_KUBELET.includes(String(condition.type)) || condition.status === 'Unknown') return condition;
    const why = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
    return { ...condition, status: 'Unknown', lastTransitionTime: now, ...why };
  });
  const missing = OF_KUBELET.filter((type) => !present.some((condition) => condition.type === type));
  const never = { reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' };
  const times = { lastHeartbeatTime: metadata.creationTimestamp, lastTransitionTime: now };
  return [...silenced, ...missing.map((type) => ({ type, status: 'Unknown', ...times, ...never }))];
}
