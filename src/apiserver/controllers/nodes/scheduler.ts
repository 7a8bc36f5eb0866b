import { objectKey } from '../../../api/object-key.js';
import { eachObject } from '../../builtin/set-default.js';
import { setPodCondition } from '../../handlers/pods/pod-condition.js';
import { objectAt, stringAt, type ApiObject, type JsonObject } from '../../object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow, KeyQueue } from '../controller.js';
import { EventRecorder } from '../event-recorder.js';
import { PodVolumes } from '../storage/pod-volumes.js';
import { nodeProblem } from './node-fit.js';

const PODS_PER_NODE = 250;
const PREEMPTION = 'preemption: 0/# nodes are available: # Preemption is not helpful for scheduling.';

/** Puts pods on nodes that suit them, each on the emptiest, once their volumes are there. */
export class Scheduler {
  private readonly queue: KeyQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly pods;
  private readonly nodes;
  private readonly events;
  private readonly volumes: PodVolumes;

  constructor(private readonly client: ClusterClient) {
    this.pods = client.resource('v1', 'pods');
    this.nodes = client.resource('v1', 'nodes');
    this.events = new EventRecorder(client, 'default-scheduler');
    this.volumes = new PodVolumes(client);
    this.queue = new KeyQueue('scheduler', client.clock, client.logger, (key) => this.reconcile(key));
    const { store } = client;
    this.unsubscribe = [
      follow(store, this.pods.storage, (event) => {
        if (event.type !== 'DELETED') this.queue.add(event.current.key);
      }),
      store.collection(this.nodes.storage).subscribe(() => this.addUnscheduled('')),
      store.collection('persistentvolumeclaims').subscribe(({ current: { object } }) => {
        this.addUnscheduled(object.metadata.namespace ?? '');
      }),
      ...['persistentvolumes', 'storageclasses.storage.k8s.io'].map((name) =>
        store.collection(name).subscribe(() => this.addUnscheduled('')),
      ),
    ];
  }

  stop(): void {
    this.queue.stop();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private addUnscheduled(namespace: string): void {
    for (const pod of this.client.list(this.pods, namespace))
      if (stringAt(pod.spec, 'nodeName') === '') this.queue.add(objectKey(pod));
  }

  private reconcile(key: string): void {
    const pod = this.client.get(this.pods, key);
    if (pod && isSchedulable(pod)) this.schedule(pod);
  }

  private schedule(pod: ApiObject): void {
    const nodes = [...this.client.list(this.nodes)].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const problem = this.volumes.problemOf(pod);
    if (problem !== undefined || nodes.length === 0) {
      const why =
        nodes.length === 0 ? 'no nodes available to schedule pods' : `${available(nodes)} ${problem}. not found`;
      this.markUnschedulable(pod, why);
      return;
    }
    const loads = this.loads();
    const loadOf = (node: ApiObject): number => loads.get(node.metadata.name) ?? 0;
    const problems = new Map(nodes.map((node) => [node, this.problemOn(node, pod, loadOf(node))]));
    const [node] = nodes
      .filter((candidate) => problems.get(candidate) === undefined)
      .sort((a, b) => loadOf(a) - loadOf(b));
    if (!node) this.markUnschedulable(pod, summary(nodes, [...problems.values()]));
    else if (this.volumes.bindOn(node, pod)) this.bind(pod, node);
  }

  private bind(pod: ApiObject, node: ApiObject): void {
    this.client.bind(this.pods, pod, node);
    const { name, namespace = '' } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${node.metadata.name}`;
    this.events.record(this.pods, pod, { reason: 'Scheduled', message });
  }

  private problemOn(node: ApiObject, pod: ApiObject, load: number): string | undefined {
    const problem = nodeProblem(node, pod, this.runtimeSelector(pod));
    return problem ?? (load >= PODS_PER_NODE ? 'Too many pods' : this.volumes.problemOn(node, pod));
  }

  /** The node labels the pod's runtime class asks for. */
  private runtimeSelector(pod: ApiObject): JsonObject {
    const name = stringAt(pod.spec, 'runtimeClassName');
    const runtimeClass = name === '' ? undefined : this.client.store.get('runtimeclasses.node.k8s.io', name)?.object;
    return objectAt(objectAt(runtimeClass, 'scheduling'), 'nodeSelector');
  }

  /** How many pods each node has. */
  private loads(): ReadonlyMap<string, number> {
    const loads = new Map<string, number>();
    for (const { spec } of this.client.list(this.pods)) {
      const name = stringAt(spec, 'nodeName');
      loads.set(name, (loads.get(name) ?? 0) + 1);
    }
    return loads;
  }

  private markUnschedulable(pod: ApiObject, message: string): void {
    const status = { ...objectAt(pod, 'status') };
    const present = eachObject(status.conditions).find(({ type }) => type === 'PodScheduled');
    if (present?.message === message) return;
    const { generation: observedGeneration = 0 } = pod.metadata;
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, observedGeneration };
    setPodCondition(status, condition, this.client.now);
    this.client.updateStatus(this.pods, pod, status);
    this.events.record(this.pods, pod, { reason: 'FailedScheduling', message, type: 'Warning' });
  }
}

function isSchedulable({ metadata, spec }: ApiObject): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    stringAt(spec, 'nodeName') === '' &&
    stringAt(spec, 'schedulerName') === 'default-scheduler' &&
    eachObject(objectAt({ spec }, 'spec').schedulingGates).length === 0
  );
}

function available(nodes: readonly ApiObject[]): string {
  return `0/${nodes.length} nodes are available:`;
}

/** As FitError words it: each reason with the number of nodes it holds for. */
function summary(nodes: readonly ApiObject[], problems: readonly (string | undefined)[]): string {
  const counted = [...Map.groupBy(problems, (problem) => problem)].map(([problem, all]) => `${all.length} ${problem}`);
  const help = PREEMPTION.replaceAll('#', String(nodes.length));
  return `${available(nodes)} ${counted.sort().join(', ')}. no new claims to deallocate, ${help}`;
}
