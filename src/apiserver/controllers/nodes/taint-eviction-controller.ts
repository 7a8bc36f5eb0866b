import { objectKey } from '../../../api/object-key.js';
import { eachObject } from '../../builtin/set-default.js';
import { setPodCondition } from '../../handlers/pods/pod-condition.js';
import { numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../../object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow, KeyQueue } from '../controller.js';
import { EventRecorder } from '../event-recorder.js';
import { isPodActive } from '../pod-control.js';
import { tolerates } from './node-fit.js';

/** Deletes the pods of a node that do not tolerate its NoExecute taints, or not for so long. */
export class TaintEvictionController {
  private readonly queue: KeyQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly pods;
  private readonly nodes;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.pods = client.resource('v1', 'pods');
    this.nodes = client.resource('v1', 'nodes');
    this.events = new EventRecorder(client, 'taint-eviction-controller');
    this.queue = new KeyQueue('taint-eviction', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, this.pods.storage, ({ type, current }) => {
        if (type !== 'DELETED') this.queue.add(current.key);
      }),
      client.store.collection(this.nodes.storage).subscribe(({ current: { object } }) => {
        if (evictingTaints(object).length > 0) this.addPodsOf(object.metadata.name);
      }),
    ];
  }

  stop(): void {
    this.queue.stop();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private addPodsOf(node: string): void {
    for (const pod of this.client.list(this.pods))
      if (stringAt(pod.spec, 'nodeName') === node) this.queue.add(objectKey(pod));
  }

  private reconcile(key: string): void {
    const pod = this.client.get(this.pods, key);
    const node = this.client.get(this.nodes, stringAt(pod?.spec, 'nodeName'));
    if (!pod || !node || !isPodActive(pod)) return;
    const taints = evictingTaints(node);
    if (taints.length === 0) return;
    const due = Math.min(...taints.map((taint) => dueTime(pod, taint)));
    const left = due - this.client.clock.now();
    if (left <= 0) this.evict(pod);
    else if (left < Infinity) this.queue.addAfter(key, left);
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

/** When the pod has to go for the taint: at once, after as long as it tolerates that, or never. */
function dueTime(pod: ApiObject, taint: JsonObject): number {
  const matching = eachObject(objectAt(pod, 'spec').tolerations).filter((toleration) => tolerates(toleration, taint));
  if (matching.length === 0) return -Infinity;
  const seconds = matching.map((toleration) => numberAt(toleration, 'tolerationSeconds') ?? Infinity);
  const since = taint.timeAdded === undefined ? stringAt(pod.metadata, 'creationTimestamp') : String(taint.timeAdded);
  return Date.parse(since) + Math.min(...seconds) * 1000;
}
