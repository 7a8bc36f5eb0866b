import { objectKey } from '../../../api/object-key.js';
import { controllerOf } from '../../../api/owner-reference.js';
import { numberAt, stringAt, type ApiObject } from '../../object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow, KeyQueue } from '../controller.js';
import { EventRecorder } from '../event-recorder.js';
import { isPodActive, isPodAvailable, isPodFinished, isPodReady, podFromTemplate, positive } from '../pod-control.js';

/** Keeps as many pods of each ReplicaSet's template as it wants. */
export class ReplicaSetController {
  private readonly queue: KeyQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly replicaSets;
  private readonly pods;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.replicaSets = client.resource('apps/v1', 'replicasets');
    this.pods = client.resource('v1', 'pods');
    this.events = new EventRecorder(client, 'replicaset-controller');
    this.queue = new KeyQueue('replicaset', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, this.replicaSets.storage, ({ current }) => this.queue.add(current.key)),
      follow(client.store, this.pods.storage, ({ current }) => this.enqueueOwner(current.object)),
    ];
  }

  stop(): void {
    this.queue.stop();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private enqueueOwner(pod: ApiObject): void {
    const owner = controllerOf(pod);
    if (owner?.kind === 'ReplicaSet') this.queue.add(`${pod.metadata.namespace ?? ''}/${owner.name}`);
  }

  private reconcile(key: string): void {
    const set = this.client.get(this.replicaSets, key);
    if (!set) return;
    const pods = this.client.ownedBy(this.pods, set).filter(isPodActive);
    if (set.metadata.deletionTimestamp === undefined) this.scale(set, pods, numberAt(set.spec, 'replicas') ?? 1);
    this.updateStatus(set);
  }

  private scale(set: ApiObject, pods: readonly ApiObject[], wanted: number): void {
    for (let count = pods.length; count < wanted; count++) {
      const { metadata } = this.client.create(this.pods, podFromTemplate(this.replicaSets, set));
      this.tell(set, 'SuccessfulCreate', `Created pod: ${metadata.name}`);
    }
    const surplus = [...pods]
      .sort((a, b) => preference(a) - preference(b) || newestFirst(a, b))
      .slice(0, Math.max(0, pods.length - wanted));
    for (const pod of surplus) {
      this.client.remove(this.pods, pod);
      this.tell(set, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    }
  }

  private tell(set: ApiObject, reason: string, message: string): void {
    this.events.record(this.replicaSets, set, { reason, message });
  }

  private updateStatus(set: ApiObject): void {
    const all = this.client.ownedBy(this.pods, set);
    const pods = all.filter(isPodActive);
    const terminatingReplicas = all.filter((pod) => !isPodActive(pod) && !isPodFinished(pod)).length;
    const ready = pods.filter(isPodReady).length;
    const minReadySeconds = numberAt(set.spec, 'minReadySeconds') ?? 0;
    const available = pods.filter((pod) => isPodAvailable(pod, minReadySeconds, this.client.clock.now())).length;
    if (available < ready) this.queue.addAfter(objectKey(set), minReadySeconds * 1000);
    this.client.updateStatus(this.replicaSets, set, {
      replicas: pods.length,
      ...positive({ fullyLabeledReplicas: pods.length, readyReplicas: ready, availableReplicas: available }),
      terminatingReplicas,
      observedGeneration: set.metadata.generation,
    });
  }
}

/** Which pod to lose first: one without a node, then one that is not ready. */
function preference(pod: ApiObject): number {
  if (stringAt(pod.spec, 'nodeName') === '') return 0;
  return isPodReady(pod) ? 2 : 1;
}

function newestFirst(a: ApiObject, b: ApiObject): number {
  return Number(b.metadata.resourceVersion) - Number(a.metadata.resourceVersion);
}
