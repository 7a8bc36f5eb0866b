import { isPodActive } from '../../../api/objects/is-pod-active.js';
import { eachObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { ControllerRevisions } from './controller-revisions.js';
import { surgeStep } from './daemon-set-surge.js';
import { ControllerRefManager } from '../controller-ref-manager.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { suitsNode } from '../node-fit.js';
import { OwnerLoop } from '../owner-loop.js';
import { reportRejection } from '../write-rejection.js';
import { isPodAvailable, isPodFinished, isPodReady, podFromTemplate, positive } from '../pod-control.js';

const HASH = 'controller-revision-hash';
const GENERATION = 'deprecated.daemonset.template.generation';

/** Tolerations added to those of the template: [taint, effect]. */
const TOLERATED = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
] as const;

/** Runs one pod on each suitable node. */
export class DaemonSetController {
  private readonly loop: OwnerLoop;
  private readonly unsubscribe: () => void;
  private readonly sets;
  private readonly pods;
  private readonly nodes;
  private readonly events;
  private readonly revisions: ControllerRevisions;

  constructor(private readonly client: ClusterClient) {
    this.sets = client.resource('apps/v1', 'daemonsets');
    this.pods = client.resource('v1', 'pods');
    this.nodes = client.resource('v1', 'nodes');
    this.events = new ComponentEventRecorder(client, 'daemonset-controller');
    this.revisions = new ControllerRevisions(client, this.sets, HASH);
    const refs = new ControllerRefManager(client, {
      owners: this.sets,
      dependents: this.pods,
    });
    this.loop = new OwnerLoop(client, this.sets, [this.pods], (set) => this.reconcile(set), { refs });
    this.unsubscribe = client.store.collection(this.nodes.storage).subscribe(() => this.loop.addAll());
  }

  stop(): void {
    this.loop.stop();
    this.unsubscribe();
  }

  private reconcile(set: ApiObject): void {
    const revision = this.revisions.current(set);
    const hash = this.revisions.hashOf(revision);
    const wanted = this.nodesFor(set);
    const pods = this.client.ownedBy(this.pods, set);
    for (const pod of pods)
      if (pod.metadata.deletionTimestamp === undefined && (isPodFinished(pod) || !wanted.has(nodeOf(pod))))
        this.deletePod(set, pod);
    const covered = new Set(pods.map(nodeOf));
    try {
      for (const node of wanted) if (!covered.has(node)) this.createPod(set, node, hash);
      this.roll(set, wanted, hash);
    } finally {
      this.updateStatus(set, wanted, hash);
    }
    this.revisions.prune(set, new Set([revision.metadata.name]));
  }

  private nodesFor(set: ApiObject): Set<string> {
    const pod = { ...set, spec: this.podSpec(set) };
    const suitable = [...this.client.list(this.nodes)].filter((node) => suitsNode(node, pod));
    return new Set(suitable.map(({ metadata }) => metadata.name));
  }

  private roll(set: ApiObject, wanted: ReadonlySet<string>, hash: string): void {
    const strategy = objectAt(set.spec, 'updateStrategy');
    if (stringAt(strategy, 'type') === 'OnDelete') return;
    const { maxSurge, maxUnavailable } = objectAt(strategy, 'rollingUpdate');
    const surge = countOf(maxSurge ?? 0, wanted.size);
    if (surge > 0) this.surge(set, wanted, hash, surge);
    else this.replace(set, wanted.size, hash, Math.max(1, countOf(maxUnavailable ?? 1, wanted.size)));
  }

  /** Deletes pods of old templates, at most `maxUnavailable` available ones at once. */
  private replace(set: ApiObject, wanted: number, hash: string, maxUnavailable: number): void {
    const pods = this.client.ownedBy(this.pods, set).filter(isPodActive);
    let budget = pods.filter((pod) => this.isAvailable(set, pod)).length - wanted + maxUnavailable;
    for (const pod of pods.filter((candidate) => !isUpdated(candidate, hash)))
      if (!this.isAvailable(set, pod) || budget-- > 0) this.deletePod(set, pod);
  }

  /** Deletes pods of old templates once the new pods on their nodes are available. */
  private surge(set: ApiObject, wanted: ReadonlySet<string>, hash: string, maxSurge: number): void {
    const pods = Map.groupBy(this.client.ownedBy(this.pods, set).filter(isPodActive), nodeOf);
    const { create, remove } = surgeStep(wanted, {
      podsOn: (node) => pods.get(node) ?? [],
      isUpdated: (pod) => isUpdated(pod, hash),
      isAvailable: (pod) => this.isAvailable(set, pod),
      maxSurge,
    });
    for (const pod of remove) this.deletePod(set, pod);
    for (const node of create) this.createPod(set, node, hash);
  }

  private isAvailable(set: ApiObject, pod: ApiObject): boolean {
    return isPodAvailable(pod, numberAt(set.spec, 'minReadySeconds') ?? 0, this.client.clock.now());
  }

  private createPod(set: ApiObject, node: string, hash: string): void {
    const { metadata } = reportRejection(
      () => this.client.create(this.pods, this.newPod(set, node, hash)),
      ({ message }) =>
        this.events.record(this.sets, set, {
          reason: 'FailedCreate',
          message: `Error creating: ${message}`,
          type: 'Warning',
        }),
    );
    this.events.record(this.sets, set, { reason: 'SuccessfulCreate', message: `Created pod: ${metadata.name}` });
  }

  private deletePod(set: ApiObject, pod: ApiObject): void {
    this.client.remove(this.pods, pod);
    this.events.record(this.sets, set, { reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` });
  }

  private newPod(set: ApiObject, node: string, hash: string): JsonObject {
    const own = this.podSpec(set);
    const affinity = objectAt(own, 'affinity');
    const fields = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
    const spec = {
      ...own,
      affinity: {
        ...affinity,
        nodeAffinity: {
          ...objectAt(affinity, 'nodeAffinity'),
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [fields] },
        },
      },
    };
    const generation = set.metadata.annotations?.[GENERATION] ?? String(set.metadata.generation ?? 1);
    return podFromTemplate(this.sets, set, { labels: { [HASH]: hash, 'pod-template-generation': generation }, spec });
  }

  private podSpec(set: ApiObject): JsonObject {
    const spec = objectAt(objectAt(set.spec, 'template'), 'spec');
    const added = TOLERATED.map(([name, effect]) => ({
      key: `node.kubernetes.io/${name}`,
      operator: 'Exists',
      effect,
    }));
    return { ...spec, tolerations: [...eachObject(spec.tolerations), ...added] };
  }

  private updateStatus(set: ApiObject, wanted: ReadonlySet<string>, hash: string): void {
    const oldestFirst = this.client.ownedBy(this.pods, set).filter(isPodActive).sort(byCreation);
    // While a node has two pods, only the older one is counted.
    const pods = [...Map.groupBy(oldestFirst, nodeOf).values()].flatMap((all) => all.slice(0, 1));
    const placed = pods.filter((pod) => wanted.has(nodeOf(pod)));
    const available = placed.filter((pod) => this.isAvailable(set, pod)).length;
    const ready = placed.filter(isPodReady).length;
    if (oldestFirst.some((pod) => isPodReady(pod) && !this.isAvailable(set, pod)))
      this.loop.addAfter(set, (numberAt(set.spec, 'minReadySeconds') ?? 0) * 1000);
    this.client.updateStatus(this.sets, set, {
      currentNumberScheduled: placed.length,
      numberMisscheduled: pods.length - placed.length,
      desiredNumberScheduled: wanted.size,
      numberReady: ready,
      observedGeneration: set.metadata.generation,
      ...positive({
        updatedNumberScheduled: placed.filter((pod) => isUpdated(pod, hash)).length,
        numberAvailable: available,
        numberUnavailable: wanted.size - available,
      }),
    });
  }
}

/** The node of a daemon pod: the assigned one, else the one it was created for. */
function nodeOf({ spec }: ApiObject): string {
  const required = objectAt(objectAt(objectAt(spec, 'affinity'), 'nodeAffinity'), REQUIRED);
  const [term] = eachObject(required.nodeSelectorTerms);
  const [field] = eachObject(term?.matchFields);
  return stringAt(spec, 'nodeName') || ((field?.values as string[] | undefined)?.[0] ?? '');
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

function isUpdated({ metadata }: ApiObject, hash: string): boolean {
  return metadata.labels?.[HASH] === hash;
}

function byCreation({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number {
  const [first = '', second = ''] = [a.creationTimestamp, b.creationTimestamp];
  return first.localeCompare(second) || a.name.localeCompare(b.name);
}

/** Converts a count or a percentage of the nodes, rounded up. */
function countOf(value: unknown, nodes: number): number {
  return typeof value === 'string' ? Math.ceil((nodes * Number.parseInt(value, 10)) / 100) : Number(value);
}
