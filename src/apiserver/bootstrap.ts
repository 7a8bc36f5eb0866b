import { randomUUID } from 'node:crypto';
import type { ApiServer } from './server/api-server.js';
import { keyOf } from '../api/objects/object-key.js';
import { kubernetesData, type AccessObject } from './data/data-file.js';
import type { ApiObject, JsonObject } from './objects/api-object.js';
import { SERVICE_RANGE } from './builtin/services/service-address-pool.js';
import { applyStatus } from './registry/apply.js';
import { SYSTEM_USER, type Registry } from './registry/registry.js';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
const PRIORITY_CLASSES = [
  [
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ],
  [
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ],
] as const;

/** Creates the default objects of a cluster: namespaces, roles and the API's own Service. */
export function bootstrapCluster(api: ApiServer): void {
  for (const name of NAMESPACES) ensure(api, 'v1', 'namespaces', { kind: 'Namespace', metadata: { name } });
  for (const object of kubernetesData.access) ensureAccess(api.registry, object);
  api.flowSchemas.storeDefaults();
  api.apiServices.storeBuiltIns();
  for (const [name, value, description] of PRIORITY_CLASSES) {
    ensure(api, 'scheduling.k8s.io/v1', 'priorityclasses', {
      kind: 'PriorityClass',
      metadata: { name },
      value,
      description,
    });
  }
  ensureServiceRange(api);
  ensureAuthentication(api);
  ensure(api, 'v1', 'services', {
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: { clusterIP: '10.0.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
  });
}

/** Stores the CA data that the servers behind APIServices trust, which changes with each start. */
function ensureAuthentication({ resources, registry, frontProxy }: ApiServer): void {
  const resource = resources.find('v1', 'configmaps');
  const data = frontProxy.authentication;
  if (!resource || Object.keys(data).length === 0) return;
  const { kind, apiVersion } = resource;
  const [name, namespace] = ['extension-apiserver-authentication', 'kube-system'];
  const options = { user: SYSTEM_USER, fieldManager: 'kube-apiserver' };
  if (registry.store.get(resource.storage, keyOf(name, namespace)))
    registry.update(resource, name, namespace, (old) => ({ ...old, data }), options);
  else registry.create(resource, { kind, apiVersion, metadata: { name, namespace }, data }, options);
}

/** Creates the IP range of Services, ready from the start. */
function ensureServiceRange({ resources, registry }: ApiServer): void {
  const resource = resources.find('networking.k8s.io/v1', 'servicecidrs');
  if (!resource || registry.store.get(resource.storage, 'kubernetes')) return;
  const { kind, apiVersion } = resource;
  const range = { kind, apiVersion, metadata: { name: 'kubernetes' }, spec: { cidrs: [SERVICE_RANGE] } };
  registry.create(resource, range, { user: SYSTEM_USER, fieldManager: 'kube-apiserver' });
  const ready = {
    type: 'Ready',
    status: 'True',
    message: 'Kubernetes default Service CIDR is ready',
    lastTransitionTime: registry.now(),
  };
  const status = { conditions: [ready] };
  applyStatus(registry, resource, { name: 'kubernetes', status, fieldManager: 'kubernetes-service-cidr-controller' });
}

/**
 * Stores a role or binding directly, with the real server's managedFields; creating all of them by requests is slow.
 */
function ensureAccess(registry: Registry, { kind, metadata, ...rest }: AccessObject): void {
  const collection = `${kind.toLowerCase()}s.rbac.authorization.k8s.io`;
  const key = keyOf(metadata.name, metadata.namespace);
  if (registry.store.get(collection, key)) return;
  const time = registry.now();
  const managedFields = metadata.managedFields.map((entry) => ({ ...entry, time }));
  const made = { ...metadata, uid: randomUUID(), creationTimestamp: time, managedFields };
  registry.store.put(collection, key, { kind, ...rest, metadata: made });
}

function ensure(
  api: ApiServer,
  apiVersion: string,
  plural: string,
  object: JsonObject & { metadata: { name: string; namespace?: string; labels?: Record<string, string> } },
): void {
  const resource = api.resources.find(apiVersion, plural);
  const { name, namespace } = object.metadata;
  if (!resource || api.registry.store.get(resource.storage, keyOf(name, namespace))) return;
  const { kind, ...rest } = object;
  api.registry.create(resource, { kind, apiVersion, ...rest } as unknown as ApiObject, {
    user: SYSTEM_USER,
    fieldManager: 'kube-apiserver',
  });
}
