import { keyOf } from '../../api/objects/object-key.js';
import { collectionsOf, evaluatorOf } from '../admission/quota/evaluators.js';
import { isInScope } from '../admission/quota/resource-quota.js';
import { add, countOf, mask, resourceList, toJson, type ResourceList } from '../objects/resource-list.js';
import { objectAt, type ApiObject } from '../objects/api-object.js';
import type { ClusterClient } from './cluster-client.js';
import { follow } from './follow.js';
import { ReconcileQueue } from './reconcile-queue.js';

/** Updates the limits and the usage in the status of each quota. */
export class ResourceQuotaController {
  private readonly queue: ReconcileQueue;
  private readonly quotas;
  private readonly unsubscribe: (() => void)[];
  private readonly followed = new Set<string>();

  constructor(private readonly client: ClusterClient) {
    this.quotas = client.resource('v1', 'resourcequotas');
    this.queue = new ReconcileQueue('resourcequota', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, this.quotas.storage, ({ type, current }) => {
        if (type !== 'DELETED') this.queue.add(current.key);
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private reconcile(key: string): void {
    const quota = this.client.get(this.quotas, key);
    if (!quota) return;
    const { hard = {} } = objectAt(quota, 'spec');
    const names = [...resourceList(hard).keys()];
    const collections = collectionsOf(names);
    for (const collection of collections) this.followChanges(collection);
    let used: ResourceList = new Map();
    for (const collection of collections) used = add(used, this.usage(quota, collection, names));
    // The last value of resources without an evaluator is kept.
    const former = mask(resourceList(objectAt(quota, 'status').used), names);
    this.client.updateStatus(this.quotas, quota, { hard, used: toJson(new Map([...former, ...used])) });
  }

  private usage(quota: ApiObject, collection: string, names: readonly string[]): ResourceList {
    const evaluator = evaluatorOf(collection);
    const measured = evaluator?.matching(names) ?? [];
    let used: ResourceList = new Map(measured.map((name) => [name, countOf(0)]));
    const now = this.client.clock.now();
    for (const { object } of this.client.store.collection(collection).range(`${quota.metadata.namespace ?? ''}/`)) {
      if (evaluator && isInScope(evaluator, quota, object))
        used = add(used, mask(evaluator.usage(object, now), measured));
    }
    return used;
  }

  /** Recounts the usage on updates and deletions; creations are counted by admission. */
  private followChanges(collection: string): void {
    if (this.followed.has(collection)) return;
    this.followed.add(collection);
    const stop = this.client.store.collection(collection).subscribe(({ type, current }) => {
      if (type === 'ADDED') return;
      const namespace = current.object.metadata.namespace ?? '';
      for (const quota of this.client.list(this.quotas, namespace))
        this.queue.add(keyOf(quota.metadata.name, namespace));
    });
    this.unsubscribe.push(stop);
  }
}
