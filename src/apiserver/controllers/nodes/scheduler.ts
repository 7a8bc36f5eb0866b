import { objectKey } from '../../../api/objects/object-key.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { resourceList } from '../../objects/resource-list.js';
import { setPodCondition } from '../../handlers/subresource/pods/pod-condition.js';
import { type ApiObject, type JsonObject, eachObject, numberAt, objectAt, stringAt } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { isPodFinished } from '../pod-control.js';
import { PodVolumes } from '../storage/pod-volumes.js';
import { nodeProblem } from '../node-fit.js';
import { loadOf, NodeLoads, type PodLoad, roomProblems } from './node-loads.js';
import { nodeScores } from './node-score.js';
import type { PlacedPods } from './placed-pods.js';
import { affinityProblems, NOT_NEAR } from './pod-affinity.js';
import { candidateOn, leastDisruptive, type Candidate } from './preemption.js';
import { NOT_SPREAD, spreadProblems } from './topology-spread.js';

const PREEMPTED = 'PreemptionByScheduler';
const NOT_HELPFUL = 'Preemption is not helpful for scheduling';

/** The reasons why a pod cannot run on a node; some can be resolved by preemption. */
interface Rejection {
  readonly problems: readonly string[];
  readonly isFinal: boolean;
}

/** Binds pods to suitable nodes by score, then by the lowest number of pods, once their volumes are bound. */
export class Scheduler {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly pods;
  private readonly nodes;
  private readonly namespaces;
  private readonly events;
  private readonly volumes: PodVolumes;
  private readonly loads: NodeLoads;
  /** Keys of pods that wait for changes of other pods' nodes. */
  private readonly dependent = new Set<string>();

  constructor(private readonly client: ClusterClient) {
    this.pods = client.resource('v1', 'pods');
    this.nodes = client.resource('v1', 'nodes');
    this.namespaces = client.resource('v1', 'namespaces');
    this.events = new ComponentEventRecorder(client, 'default-scheduler');
    this.volumes = new PodVolumes(client);
    this.loads = new NodeLoads(client);
    this.queue = new ReconcileQueue('scheduler', client.clock, client.logger, (key) => this.reconcile(key));
    const { store } = client;
    this.unsubscribe = [
      follow(store, this.pods.storage, ({ type, current, previous }) => {
        if (type !== 'DELETED') this.queue.add(current.key);
        else this.dependent.delete(current.key);
        if (this.dependent.size > 0 && isMoved(current.object, previous?.object))
          for (const key of this.dependent) this.queue.add(key);
        const isOver = type === 'DELETED' || isPodFinished(current.object);
        if (isOver && previous && stringAt(previous.object.spec, 'nodeName') !== '') this.addUnscheduled('');
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
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  /** Queues unscheduled pods: the highest priority first, then those with the oldest attempt. */
  private addUnscheduled(namespace: string): void {
    const priorityOf = (pod: ApiObject): number => numberAt(pod.spec, 'priority') ?? 0;
    const waiting = [...this.client.list(this.pods, namespace)].filter(({ spec }) => stringAt(spec, 'nodeName') === '');
    const tried = ({ metadata }: ApiObject): number => Number(metadata.resourceVersion);
    for (const pod of waiting.sort((a, b) => priorityOf(b) - priorityOf(a) || tried(a) - tried(b)))
      this.queue.add(objectKey(pod));
  }

  private reconcile(key: string): void {
    const pod = this.client.get(this.pods, key);
    this.dependent.delete(key);
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
    const load = loadOf(pod);
    const placed = this.placedOn(nodes);
    const rejections = new Map<ApiObject, Rejection>();
    const placeProblem = this.placeProblems(pod, placed);
    for (const node of nodes) {
      const rejection = this.rejectionBy(node, load, placeProblem);
      if (rejection) rejections.set(node, rejection);
    }
    const countOn = (node: ApiObject): number => this.loads.count(node.metadata.name);
    const fitting = nodes.filter((candidate) => !rejections.has(candidate));
    const scores = nodeScores(pod, fitting, placed, this.namespaceLabels);
    const scoreOf = (node: ApiObject): number => (scores.get(node) ?? 0) + (isNominated(pod, node) ? Infinity : 0);
    const [node] = fitting.sort((a, b) => compare(scoreOf(b), scoreOf(a)) || countOn(a) - countOn(b));
    if (!node) this.makeRoom(load, nodes, rejections);
    else if (this.volumes.bindOn(node, pod)) this.bind(pod, node);
  }

  private placedOn(nodes: readonly ApiObject[]): PlacedPods[] {
    return nodes.map((node) => ({ node, pods: this.loads.on(node.metadata.name) }));
  }

  /** Returns a function for the reason why other pods exclude a node. */
  private placeProblems(pod: ApiObject, placed: readonly PlacedPods[]): (node: ApiObject) => string | undefined {
    const [spread, affinity] = [spreadProblems(pod, placed), affinityProblems(pod, placed, this.namespaceLabels)];
    return (node) => spread(node) ?? affinity(node);
  }

  private readonly namespaceLabels = (name: string): Readonly<Record<string, string>> | undefined =>
    this.client.get(this.namespaces, name)?.metadata.labels;

  private bind(pod: ApiObject, node: ApiObject): void {
    this.client.bind(this.pods, pod, node);
    const { name, namespace = '' } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${node.metadata.name}`;
    this.events.record(this.pods, pod, { reason: 'Scheduled', message });
  }

  private rejectionBy(
    node: ApiObject,
    load: PodLoad,
    placeProblem: (node: ApiObject) => string | undefined,
  ): Rejection | undefined {
    const { pod } = load;
    const problem = nodeProblem(node, pod, this.runtimeSelector(pod));
    if (problem !== undefined) return { problems: [problem], isFinal: true };
    const problems = roomProblems(node, this.loads.besides(node.metadata.name, load), load);
    if (problems.length > 0) return { problems, isFinal: isTooBig(node, load) };
    const volumeProblem = this.volumes.problemOn(node, pod);
    if (volumeProblem !== undefined) return { problems: [volumeProblem], isFinal: true };
    const place = placeProblem(node);
    if (place === undefined) return undefined;
    this.dependent.add(objectKey(pod));
    return { problems: [place], isFinal: place === NOT_NEAR || place === NOT_SPREAD };
  }

  /** Preempts pods of lower priority if that helps, and nominates the node for the pod. */
  private makeRoom(load: PodLoad, nodes: readonly ApiObject[], rejections: ReadonlyMap<ApiObject, Rejection>): void {
    const { pod } = load;
    if (this.isRoomBeingMade(load)) return;
    const why = summary(
      nodes,
      [...rejections.values()].flatMap(({ problems }) => problems),
    );
    const futile = `${why} no new claims to deallocate, preemption:`;
    if (stringAt(pod.spec, 'preemptionPolicy') === 'Never') {
      this.markUnschedulable(pod, `${futile} not eligible due to preemptionPolicy=Never.`);
      return;
    }
    const budgets = [...this.client.list(this.client.resource('policy/v1', 'poddisruptionbudgets'))];
    const outcomes = nodes.map((node): Candidate | readonly string[] =>
      rejections.get(node)?.isFinal === true
        ? [NOT_HELPFUL]
        : candidateOn(node, this.loads.on(node.metadata.name), load, budgets, (kept) =>
            this.problemsBeside(node, nodes, load, kept),
          ),
    );
    const best = leastDisruptive(outcomes.filter((outcome): outcome is Candidate => 'victims' in outcome));
    if (!best) {
      const reasons = outcomes.flatMap((outcome) => ('victims' in outcome ? [] : outcome));
      this.markUnschedulable(pod, `${futile} ${summary(nodes, reasons)}`);
      return;
    }
    for (const { pod: victim } of best.victims) this.preempt(victim, pod, best.node);
    this.markUnschedulable(pod, why, best.node.metadata.name);
  }

  /** Returns the reasons why the pod could not run on the node with only the kept pods. */
  private problemsBeside(
    node: ApiObject,
    nodes: readonly ApiObject[],
    load: PodLoad,
    kept: readonly PodLoad[],
  ): string[] {
    const problems = roomProblems(node, kept, load);
    if (problems.length > 0) return problems;
    const placed = this.placedOn(nodes).map((each) => (each.node === node ? { node, pods: kept } : each));
    const place = this.placeProblems(load.pod, placed)(node);
    return place === undefined ? [] : [place];
  }

  /** Returns whether pods preempted for this one have not ended yet. */
  private isRoomBeingMade({ pod, priority }: PodLoad): boolean {
    const others = this.loads.on(stringAt(pod.status, 'nominatedNodeName'));
    return others.some(
      (other) =>
        other.priority < priority &&
        other.pod.metadata.deletionTimestamp !== undefined &&
        eachObject(objectAt(other.pod, 'status').conditions).some(({ reason }) => reason === PREEMPTED),
    );
  }

  private preempt(victim: ApiObject, preemptor: ApiObject, node: ApiObject): void {
    const status = { ...objectAt(victim, 'status') };
    const message = 'default-scheduler: preempting to accommodate a higher priority pod';
    const { generation: observedGeneration = 0 } = victim.metadata;
    const why = { reason: PREEMPTED, message, observedGeneration };
    setPodCondition(status, { type: 'DisruptionTarget', status: 'True', ...why }, this.client.now);
    this.client.updateStatus(this.pods, victim, status);
    this.client.remove(this.pods, victim);
    const preempted = `Preempted by pod ${preemptor.metadata.uid ?? ''} on node ${node.metadata.name}`;
    this.events.record(this.pods, victim, { reason: 'Preempted', message: preempted });
  }

  /** Returns the node labels required by the pod's runtime class. */
  private runtimeSelector(pod: ApiObject): JsonObject {
    const name = stringAt(pod.spec, 'runtimeClassName');
    const runtimeClass = name === '' ? undefined : this.client.store.get('runtimeclasses.node.k8s.io', name)?.object;
    return objectAt(objectAt(runtimeClass, 'scheduling'), 'nodeSelector');
  }

  private markUnschedulable(pod: ApiObject, message: string, nominatedNodeName = ''): void {
    const { nominatedNodeName: former = '', ...status } = objectAt(pod, 'status');
    const present = eachObject(status.conditions).find(({ type }) => type === 'PodScheduled');
    if (present?.message === message && former === nominatedNodeName) return;
    if (nominatedNodeName !== '') Object.assign(status, { nominatedNodeName });
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

/** Formats the reasons like FitError: each with its number of nodes. */
function summary(nodes: readonly ApiObject[], problems: readonly string[]): string {
  const counted = [...Map.groupBy(problems, (problem) => problem)];
  const reasons = counted.map(([problem, all]) => `${all.length} ${problem}`).sort();
  return `${available(nodes)} ${reasons.join(', ')}.`;
}

/** Returns whether a pod was bound to a node, or a bound pod's labels changed. */
function isMoved({ metadata, spec }: ApiObject, former: ApiObject | undefined): boolean {
  if (stringAt(spec, 'nodeName') === '') return false;
  return stringAt(former?.spec, 'nodeName') === '' || !deepEqual(metadata.labels, former?.metadata.labels);
}

/** Compares scores, including infinite ones. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function isNominated({ status }: ApiObject, { metadata }: ApiObject): boolean {
  return stringAt(status, 'nominatedNodeName') === metadata.name;
}

/** Returns whether the pod would not fit on the empty node. */
function isTooBig(node: ApiObject, { requests }: PodLoad): boolean {
  const size = resourceList(objectAt(node, 'status').allocatable);
  return [...requests].some(([name, { nano }]) => nano > (size.get(name)?.nano ?? 0n));
}
