import { isPodActive } from '../../../api/objects/is-pod-active.js';
import { matchesSelector, type LabelSelector } from '../../../api/selection/label-selector.js';
import { keyOf, objectKey } from '../../../api/objects/object-key.js';
import { controllerOf } from '../../../api/kinds/owner-reference.js';
import { StatusError } from '../../errors/status-error.js';
import { type ApiObject, type JsonObject, eachObject, numberAt, objectAt } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { ControllerRefManager } from '../controller-ref-manager.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { deletionOrder } from '../pod-order.js';
import { isNamespaceTerminating, reportRejection } from '../write-rejection.js';
import { isPodAvailable, isPodFinished, isPodReady, podFromTemplate, positive } from '../pod-control.js';

/** A kind that manages replicas of a pod. */
interface ReplicaKind {
  readonly apiVersion: string;
  readonly plural: string;
  readonly component: string;
  readonly countsTerminating: boolean;
  selectorOf(spec: JsonObject): LabelSelector;
}

export const REPLICA_SETS: ReplicaKind = {
  apiVersion: 'apps/v1',
  plural: 'replicasets',
  component: 'replicaset-controller',
  countsTerminating: true,
  selectorOf: ({ selector }) => selector as LabelSelector,
};

export const REPLICATION_CONTROLLERS: ReplicaKind = {
  apiVersion: 'v1',
  plural: 'replicationcontrollers',
  component: 'replication-controller',
  countsTerminating: false,
  selectorOf: ({ selector }) => ({ matchLabels: selector as Record<string, string> }),
};

const FAILURE = 'ReplicaFailure';

/** Runs the desired number of pods of each ReplicaSet or ReplicationController. */
export class ReplicaSetController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly replicaSets;
  private readonly pods;
  private readonly events;
  private readonly refs: ControllerRefManager;

  constructor(
    private readonly client: ClusterClient,
    private readonly kind: ReplicaKind,
  ) {
    this.replicaSets = client.resource(kind.apiVersion, kind.plural);
    this.pods = client.resource('v1', 'pods');
    this.events = new ComponentEventRecorder(client, kind.component);
    this.refs = new ControllerRefManager(client, {
      owners: this.replicaSets,
      dependents: this.pods,
      selectorOf: ({ spec }) => kind.selectorOf(objectAt({ spec }, 'spec')),
      isMember: isPodActive,
    });
    this.queue = new ReconcileQueue(kind.plural, client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, this.replicaSets.storage, ({ current }) => this.queue.add(current.key)),
      follow(client.store, this.pods.storage, ({ type, current, previous }) => {
        this.enqueueOwner(current.object);
        if (previous) this.enqueueOwner(previous.object);
        if (type !== 'DELETED') for (const set of this.refs.ownersOf(current.object)) this.queue.add(objectKey(set));
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private enqueueOwner(pod: ApiObject): void {
    const owner = controllerOf(pod);
    if (owner?.kind === this.replicaSets.kind) this.queue.add(keyOf(owner.name, pod.metadata.namespace));
  }

  private reconcile(key: string): void {
    const set = this.client.get(this.replicaSets, key);
    if (!set) return;
    this.refs.claim(set);
    const pods = this.client.ownedBy(this.pods, set).filter(isPodActive);
    const failure = set.metadata.deletionTimestamp === undefined ? this.scale(set, pods) : undefined;
    this.updateStatus(set, failure);
    if (failure) throw failure.error;
  }

  /** Creates or deletes pods to reach the desired number; returns the failure if the API server rejects a write. */
  private scale(set: ApiObject, pods: readonly ApiObject[]): Failure | undefined {
    const wanted = numberAt(set.spec, 'replicas') ?? 1;
    try {
      for (let count = pods.length; count < wanted; count++) this.createPod(set);
      for (const pod of this.surplus(set, pods, pods.length - wanted)) {
        this.client.remove(this.pods, pod);
        this.recordEvent(set, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof StatusError) || isNamespaceTerminating(error)) throw error;
      return { reason: pods.length < wanted ? 'FailedCreate' : 'FailedDelete', error };
    }
  }

  private surplus(set: ApiObject, pods: readonly ApiObject[], count: number): readonly ApiObject[] {
    if (count <= 0) return [];
    return pods.toSorted(deletionOrder(this.relatedPods(set), this.client.clock.now())).slice(0, count);
  }

  /** Returns the pods of all sets with the same controller; empty for a set without a controller. */
  private relatedPods(set: ApiObject): ApiObject[] {
    const controller = controllerOf(set);
    if (!controller) return [];
    const isRelated = (other: ApiObject): boolean => controllerOf(other)?.uid === controller.uid;
    const { namespace } = set.metadata;
    const selectors = [...this.client.list(this.replicaSets, namespace)]
      .filter(isRelated)
      .map(({ spec }) => this.kind.selectorOf(objectAt({ spec }, 'spec')));
    return [...this.client.list(this.pods, namespace)].filter(({ metadata }) =>
      selectors.some((selector) => matchesSelector(selector, metadata.labels)),
    );
  }

  private createPod(set: ApiObject): void {
    const { metadata } = reportRejection(
      () => this.client.create(this.pods, podFromTemplate(this.replicaSets, set)),
      ({ message }) => this.recordEvent(set, 'FailedCreate', `Error creating: ${message}`, 'Warning'),
    );
    this.recordEvent(set, 'SuccessfulCreate', `Created pod: ${metadata.name}`);
  }

  private recordEvent(set: ApiObject, reason: string, message: string, type: 'Normal' | 'Warning' = 'Normal'): void {
    this.events.record(this.replicaSets, set, { reason, message, type });
  }

  private updateStatus(set: ApiObject, failure: Failure | undefined): void {
    const all = this.client.ownedBy(this.pods, set);
    const pods = all.filter(isPodActive);
    const terminatingReplicas = all.filter((pod) => !isPodActive(pod) && !isPodFinished(pod)).length;
    const ready = pods.filter(isPodReady).length;
    const minReadySeconds = numberAt(set.spec, 'minReadySeconds') ?? 0;
    const available = pods.filter((pod) => isPodAvailable(pod, minReadySeconds, this.client.clock.now())).length;
    if (available < ready) this.queue.addAfter(objectKey(set), minReadySeconds * 1000);
    const conditions = this.conditions(set, failure);
    this.client.updateStatus(this.replicaSets, set, {
      replicas: pods.length,
      ...positive({
        fullyLabeledReplicas: pods.filter((pod) => hasLabelsOfTemplate(set, pod)).length,
        readyReplicas: ready,
        availableReplicas: available,
      }),
      ...(this.kind.countsTerminating && { terminatingReplicas }),
      observedGeneration: set.metadata.generation,
      ...(conditions.length > 0 && { conditions }),
    });
  }

  /** Returns the conditions; a failure condition is unchanged until the failure is resolved. */
  private conditions(set: ApiObject, failure: Failure | undefined): JsonObject[] {
    const present = eachObject(objectAt(set, 'status').conditions);
    const others = present.filter(({ type }) => type !== FAILURE);
    if (!failure || others.length < present.length) return failure ? present : others;
    const { reason, error } = failure;
    const lastTransitionTime = this.client.now;
    return [...others, { type: FAILURE, status: 'True', lastTransitionTime, reason, message: error.message }];
  }
}

interface Failure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly error: StatusError;
}

function hasLabelsOfTemplate(set: ApiObject, { metadata }: ApiObject): boolean {
  const { labels } = objectAt(objectAt(objectAt(set, 'spec'), 'template'), 'metadata');
  return Object.entries((labels ?? {}) as Record<string, string>).every(
    ([name, value]) => metadata.labels?.[name] === value,
  );
}
