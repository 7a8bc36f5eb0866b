import type { ApiServer } from './api-server.js';
import type { ApiObject, JsonObject } from './object.js';
import { SYSTEM_USER } from './registry/registry.js';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
const RBAC = 'rbac.authorization.k8s.io/v1';
const ALL = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
const READ_WRITE = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const READ = ['get', 'list', 'watch'];
const DISCOVERY_URLS = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
];
const PUBLIC_URLS = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const NAMESPACED_GROUPS = ['', 'apps', 'autoscaling', 'batch', 'networking.k8s.io', 'policy'];
const SELF_REVIEWS = {
  apiGroups: ['authorization.k8s.io'],
  resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  verbs: ['create'],
};
const SELF_SUBJECT = { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] };

const ROLES: Readonly<Record<string, readonly JsonObject[]>> = {
  'cluster-admin': [ALL, { nonResourceURLs: ['*'], verbs: ['*'] }],
  'system:discovery': [{ nonResourceURLs: DISCOVERY_URLS, verbs: ['get'] }],
  'system:public-info-viewer': [{ nonResourceURLs: PUBLIC_URLS, verbs: ['get'] }],
  'system:basic-user': [SELF_REVIEWS, SELF_SUBJECT],
  admin: [{ apiGroups: NAMESPACED_GROUPS, resources: ['*'], verbs: READ_WRITE }],
  edit: [{ apiGroups: NAMESPACED_GROUPS, resources: ['*'], verbs: READ_WRITE }],
  view: [{ apiGroups: NAMESPACED_GROUPS, resources: ['*'], verbs: READ }],
};

const BINDINGS: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['system:masters'],
  'system:discovery': ['system:authenticated'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
  'system:basic-user': ['system:authenticated'],
};

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

/** Creates what every cluster has before its first user comes: namespaces, roles and the API's own Service. */
export function bootstrapCluster(api: ApiServer): void {
  for (const name of NAMESPACES) ensure(api, 'v1', 'namespaces', { kind: 'Namespace', metadata: { name } });
  const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
  for (const [name, rules] of Object.entries(ROLES)) {
    ensure(api, RBAC, 'clusterroles', { kind: 'ClusterRole', metadata: { name, labels }, rules });
  }
  for (const [name, groups] of Object.entries(BINDINGS)) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    const subjects = groups.map((group) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }));
    ensure(api, RBAC, 'clusterrolebindings', {
      kind: 'ClusterRoleBinding',
      metadata: { name, labels },
      roleRef,
      subjects,
    });
  }
  for (const [name, value, description] of PRIORITY_CLASSES) {
    ensure(api, 'scheduling.k8s.io/v1', 'priorityclasses', {
      kind: 'PriorityClass',
      metadata: { name },
      value,
      description,
    });
  }
  ensure(api, 'v1', 'services', {
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: { clusterIP: '10.0.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
  });
}

function ensure(
  api: ApiServer,
  apiVersion: string,
  plural: string,
  object: JsonObject & { metadata: { name: string; namespace?: string; labels?: Record<string, string> } },
): void {
  const resource = api.resources.find(apiVersion, plural);
  const { name, namespace } = object.metadata;
  if (!resource || api.registry.store.get(resource.storage, namespace === undefined ? name : `${namespace}/${name}`))
    return;
  const { kind, ...rest } = object;
  api.registry.create(resource, { kind, apiVersion, ...rest } as unknown as ApiObject, {
    user: SYSTEM_USER,
    fieldManager: 'kube-apiserver',
  });
}
