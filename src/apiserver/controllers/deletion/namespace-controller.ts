import { keyOf } from '../../../api/objects/object-key.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { objectAt, type ApiObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { namespaceConditions } from './namespace-conditions.js';

const RECHECK_MS = 50;
const ROOT_CA = 'kube-root-ca.crt';
const ROOT_CA_DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
  'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes ' +
  'clusters.';
const NO_GRACE = { gracePeriodSeconds: 0 };

/**
 * Creates the default service account and the root certificate of each namespace, and deletes the content of
 * terminating namespaces.
 */
export class NamespaceController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly accounts;
  private readonly namespaces;
  private readonly configMaps;

  constructor(
    private readonly client: ClusterClient,
    private readonly caPem: string,
  ) {
    this.configMaps = client.resource('v1', 'configmaps');
    this.namespaces = client.resource('v1', 'namespaces');
    this.accounts = client.resource('v1', 'serviceaccounts');
    this.queue = new ReconcileQueue('namespace', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      follow(client.store, 'namespaces', ({ current }) => this.queue.add(current.key)),
      client.store.collection(this.accounts.storage).subscribe(({ type, current }) => {
        if (type === 'DELETED') this.queue.add(current.object.metadata.namespace ?? '');
      }),
      client.store.collection(this.configMaps.storage).subscribe(({ current: { object } }) => {
        if (object.metadata.name === ROOT_CA) this.queue.add(object.metadata.namespace ?? '');
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private reconcile(name: string): void {
    const namespace = this.client.store.get('namespaces', name)?.object;
    if (!namespace) return;
    if (namespace.metadata.deletionTimestamp !== undefined) this.empty(namespace);
    else this.ensureDefaults(name);
  }

  private ensureDefaults(namespace: string): void {
    if (!this.client.get(this.accounts, `${namespace}/default`))
      this.client.create(this.accounts, { metadata: { name: 'default', namespace } });
    const data = { 'ca.crt': this.caPem };
    const present = this.client.get(this.configMaps, keyOf(ROOT_CA, namespace));
    const annotations = { 'kubernetes.io/description': ROOT_CA_DESCRIPTION };
    if (!present) this.client.create(this.configMaps, { metadata: { name: ROOT_CA, namespace, annotations }, data });
    else if (!deepEqual(present.data, data)) this.client.update(this.configMaps, present, (old) => ({ ...old, data }));
  }

  /** Deletes the content of the namespace, pods first, and then the namespace itself. */
  private empty(namespace: ApiObject): void {
    const { name, finalizers = [] } = namespace.metadata;
    const namespaced = [...this.client.api.resources.distinct()].filter((resource) => resource.namespaced);
    const pods = namespaced.filter(({ storage }) => storage === 'pods');
    const hadContent = namespaced.some((resource) => this.contentOf(resource, name).length > 0);
    const hasPods = this.deleteAll(pods, name).size > 0;
    const remains = hasPods ? new Map<Resource, ApiObject[]>() : this.deleteAll(namespaced, name);
    if (!hadContent && finalizers.length === 0) {
      this.client.store.remove('namespaces', name);
      return;
    }
    if (hasPods || remains.size > 0) {
      const conditions = namespaceConditions(namespace, remains, this.client.now);
      this.client.updateStatus(this.namespaces, namespace, { ...objectAt(namespace, 'status'), conditions });
    }
    this.queue.addAfter(name, RECHECK_MS);
  }

  /** Deletes all objects of some resources in the namespace, and returns those that remain. */
  private deleteAll(resources: readonly Resource[], namespace: string): Map<Resource, ApiObject[]> {
    for (const resource of resources) {
      const options = resource.storage === 'pods' ? NO_GRACE : {};
      for (const object of this.contentOf(resource, namespace)) {
        if (object.metadata.deletionTimestamp === undefined)
          this.client.remove(resource, resource.codec.fromStorage(object), options);
      }
    }
    const left = resources.map((resource) => [resource, this.contentOf(resource, namespace)] as const);
    return new Map(left.filter(([, objects]) => objects.length > 0));
  }

  private contentOf(resource: Resource, namespace: string): ApiObject[] {
    return [...this.client.list(resource, namespace)];
  }
}
