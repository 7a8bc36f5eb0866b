import type { ApiObject } from '../object.js';
import type { ClusterClient } from './cluster-client.js';
import { follow, KeyQueue } from './controller.js';

const RECHECK_MS = 50;
const NO_GRACE = { gracePeriodSeconds: 0 };

/** Gives every namespace its default service account, and empties those that are going. */
export class NamespaceController {
  private readonly queue: KeyQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly accounts;

  constructor(private readonly client: ClusterClient) {
    this.accounts = client.resource('v1', 'serviceaccounts');
    this.queue = new KeyQueue('namespace', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, 'namespaces', ({ current }) => this.queue.add(current.key)),
      client.store.collection('serviceaccounts').subscribe(({ type, current }) => {
        if (type === 'DELETED') this.queue.add(current.object.metadata.namespace ?? '');
      }),
    ];
  }

  stop(): void {
    this.queue.stop();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private reconcile(name: string): void {
    const namespace = this.client.store.get('namespaces', name)?.object;
    if (!namespace) return;
    if (namespace.metadata.deletionTimestamp !== undefined) this.empty(namespace);
    else if (!this.client.get(this.accounts, `${name}/default`)) {
      this.client.create(this.accounts, { metadata: { name: 'default', namespace: name } });
    }
  }

  /** Deletes all there is in the namespace, and the namespace once nothing is left. */
  private empty(namespace: ApiObject): void {
    const { name, finalizers = [] } = namespace.metadata;
    let isEmpty = true;
    for (const resource of this.client.api.resources.distinct()) {
      if (!resource.namespaced) continue;
      for (const object of [...this.client.list(resource, name)]) {
        isEmpty = false;
        if (object.metadata.deletionTimestamp === undefined)
          this.client.remove(resource, resource.codec.fromStorage(object), resource.storage === 'pods' ? NO_GRACE : {});
      }
    }
    if (isEmpty && finalizers.length === 0) this.client.store.remove('namespaces', name);
    else this.queue.addAfter(name, RECHECK_MS);
  }
}
