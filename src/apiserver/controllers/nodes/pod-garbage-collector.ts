import { objectKey } from '../../../api/objects/object-key.js';
import { setPodCondition } from '../../handlers/subresource/pods/pod-condition.js';
import { objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { isPodFinished } from '../pod-control.js';

/** Time for which a node must be missing before its pods are deleted. */
const QUARANTINE_MS = 40_000;

/** Deletes pods without a kubelet to end them: those on missing nodes, and terminating ones without a node. */
export class PodGarbageCollector {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly pods;
  private readonly nodes;
  /** Monotonic time since when nodes with pods have been missing, by name. */
  private readonly missing = new Map<string, number>();

  constructor(private readonly client: ClusterClient) {
    this.pods = client.resource('v1', 'pods');
    this.nodes = client.resource('v1', 'nodes');
    this.queue = new ReconcileQueue('pod-garbage-collector', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, this.pods.storage, ({ type, current: { key, object } }) => {
        if (type !== 'DELETED' && this.isLost(object)) this.queue.add(key);
      }),
      client.store.collection(this.nodes.storage).subscribe(({ type, current }) => {
        if (type === 'ADDED') this.missing.delete(current.key);
        if (type !== 'DELETED') return;
        for (const pod of this.client.list(this.pods))
          if (stringAt(pod.spec, 'nodeName') === current.key) this.queue.add(objectKey(pod));
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private isLost({ metadata, spec }: ApiObject): boolean {
    const node = stringAt(spec, 'nodeName');
    return node === '' ? metadata.deletionTimestamp !== undefined : !this.client.get(this.nodes, node);
  }

  private reconcile(key: string): void {
    const pod = this.client.get(this.pods, key);
    if (!pod || !this.isLost(pod)) return;
    const node = stringAt(pod.spec, 'nodeName');
    const left = node === '' ? 0 : this.quarantineOf(node);
    if (left > 0) this.queue.addAfter(key, left);
    else this.collect(pod, node !== '');
  }

  private quarantineOf(node: string): number {
    const now = this.client.clock.monotonic();
    const since = this.missing.get(node) ?? now;
    this.missing.set(node, since);
    return since + QUARANTINE_MS - now;
  }

  private collect(pod: ApiObject, isOrphan: boolean): void {
    if (!isPodFinished(pod)) {
      const status = { ...objectAt(pod, 'status'), phase: 'Failed' };
      const why = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' };
      if (isOrphan) setPodCondition(status, { type: 'DisruptionTarget', status: 'True', ...why }, this.client.now);
      this.client.updateStatus(this.pods, pod, status);
    }
    this.client.remove(this.pods, pod, { gracePeriodSeconds: 0 });
  }
}
