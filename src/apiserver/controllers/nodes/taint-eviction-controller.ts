import { isPodActive } from '../../../api/objects/is-pod-active.js';
import { objectKey } from '../../../api/objects/object-key.js';
import { setPodCondition } from '../../handlers/subresource/pods/pod-condition.js';
import { type ApiObject, type JsonObject, eachObject, numberAt, objectAt, stringAt } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { tolerates } from '../node-fit.js';

/** Deletes the pods of a node that do not tolerate its NoExecute taints, or that have an expired toleration. */
export class TaintEvictionController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly pods;
  private readonly nodes;
  private readonly events;
  /** Monotonic time of the first observation of pods to evict, by key: not all taints have a time. */
  private readonly since = new Map<string, number>();

  constructor(private readonly client: ClusterClient) {
    this.pods = client.resource('v1', 'pods');
    this.nodes = client.resource('v1', 'nodes');
    this.events = new ComponentEventRecorder(client, 'taint-eviction-controller');
    this.queue = new ReconcileQueue('taint-eviction', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, this.pods.storage, ({ current }) => this.queue.add(current.key)),
      client.store.collection(this.nodes.storage).subscribe(({ current: { object } }) => {
        if (evictingTaints(object).length > 0 || this.since.size > 0) this.addPodsOf(object.metadata.name);
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private addPodsOf(node: string): void {
    for (const pod of this.client.list(this.pods))
      if (stringAt(pod.spec, 'nodeName') === node) this.queue.add(objectKey(pod));
  }

  private reconcile(key: string): void {
    const pod = this.client.get(this.pods, key);
    const node = this.client.get(this.nodes, stringAt(pod?.spec, 'nodeName'));
    const tolerated = pod && node && isPodActive(pod) ? toleratedMs(pod, evictingTaints(node)) : Infinity;
    if (!pod || tolerated === Infinity) {
      this.since.delete(key);
      return;
    }
    const now = this.client.clock.monotonic();
    const since = this.since.get(key) ?? now;
    this.since.set(key, since);
    const left = since + tolerated - now;
    if (left > 0) this.queue.addAfter(key, left);
    else this.evict(pod);
  }

  private evict(pod: ApiObject): void {
    const { name, namespace = '' } = pod.metadata;
    const message = `Marking for deletion Pod ${namespace}/${name}`;
    this.events.record(this.pods, pod, { reason: 'TaintManagerEviction', message });
    const status = { ...objectAt(pod, 'status') };
    const why = { reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' };
    setPodCondition(status, { type: 'DisruptionTarget', status: 'True', ...why }, this.client.now);
    this.client.updateStatus(this.pods, pod, status);
    this.client.remove(this.pods, pod);
  }
}

function evictingTaints({ spec }: ApiObject): JsonObject[] {
  return eachObject(objectAt({ spec }, 'spec').taints).filter(({ effect }) => effect === 'NoExecute');
}

/** Returns how long the pod tolerates the taints; the first matching toleration of each applies. */
function toleratedMs(pod: ApiObject, taints: readonly JsonObject[]): number {
  const tolerations = eachObject(objectAt(pod, 'spec').tolerations);
  const seconds = taints.map((taint) => {
    const toleration = tolerations.find((candidate) => tolerates(candidate, taint));
    return toleration ? (numberAt(toleration, 'tolerationSeconds') ?? Infinity) : 0;
  });
  return Math.max(0, Math.min(...seconds)) * 1000;
}
