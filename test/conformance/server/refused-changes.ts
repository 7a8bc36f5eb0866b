const inNamespace = (api: string, plural: string): string => `${api}/namespaces/default/${plural}`;
const containers = [{ name: 'c', image: 'i' }];

/** An object, a change of it that is refused, and the words it is refused with. */
export interface RefusedChange {
  readonly path: string;
  readonly object: object;
  /** A merge patch, of the endpoint named. */
  readonly change: object;
  readonly subresource?: string;
}

const BAD_LABEL = { metadata: { labels: { a: 'bad value' } } };

/** Changes that are rejected; the snapshots of the tests contain the errors of kube-apiserver. */
export const REFUSED_CHANGES: readonly (readonly [title: string, row: RefusedChange])[] = [
  [
    'of a Pod’s nodes',
    {
      path: inNamespace('/api/v1', 'pods'),
      object: { apiVersion: 'v1', kind: 'Pod', spec: { containers } },
      change: { spec: { nodeSelector: { a: '<b>' }, hostNetwork: true } },
    },
  ],
  [
    'of a claim’s access and class',
    {
      path: inNamespace('/api/v1', 'persistentvolumeclaims'),
      object: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      change: {
        spec: { accessModes: ['ReadOnlyMany'], storageClassName: 'fast', selector: { matchLabels: { a: 'b' } } },
      },
    },
  ],
  [
    'of the location of a volume',
    {
      path: '/api/v1/persistentvolumes',
      object: {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } },
      },
      change: {
        metadata: { annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } },
        spec: { hostPath: null, csi: { driver: 'Bad_Name' }, volumeMode: 'Block' },
      },
    },
  ],
  [
    'of the template of a Job',
    {
      path: inNamespace('/apis/batch/v1', 'jobs'),
      object: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        spec: {
          manualSelector: true,
          selector: { matchLabels: { b: '1' } },
          template: { metadata: { labels: { b: '1', a: '2' } }, spec: { containers, restartPolicy: 'Never' } },
        },
      },
      change: {
        spec: {
          template: {
            spec: {
              containers: [{ name: 'c', image: 'other', resources: { limits: { cpu: '1000m' } } }],
              volumes: [{ name: 'v', configMap: { name: 'm' } }],
            },
          },
        },
      },
    },
  ],
  [
    'of a Job’s counters',
    {
      path: inNamespace('/apis/batch/v1', 'jobs'),
      object: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        spec: { template: { spec: { containers, restartPolicy: 'Never' } } },
      },
      change: { status: { failed: -1, succeeded: -1 } },
      subresource: '/status',
    },
  ],
  [
    'of the role of a RoleBinding',
    {
      path: inNamespace('/apis/rbac.authorization.k8s.io/v1', 'rolebindings'),
      object: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
      },
      change: { ...BAD_LABEL, roleRef: { name: 'b' }, subjects: [{ kind: 'Odd', name: 'x' }] },
    },
  ],
  [
    'of a Deployment’s strategy',
    {
      path: inNamespace('/apis/apps/v1', 'deployments'),
      object: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
        },
      },
      change: {
        spec: {
          strategy: { type: 'Odd', rollingUpdate: { maxSurge: 2 } },
          template: { spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { odd: '-1' } } }] } },
        },
      },
    },
  ],
  [
    'of a Node’s networks and taints',
    {
      path: '/api/v1/nodes',
      object: { apiVersion: 'v1', kind: 'Node', spec: { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'] } },
      change: { ...BAD_LABEL, spec: { podCIDR: null, podCIDRs: null, taints: [{ key: 'k', effect: 'Odd' }] } },
    },
  ],
  [
    'of the type of a Secret',
    {
      path: inNamespace('/api/v1', 'secrets'),
      object: { apiVersion: 'v1', kind: 'Secret' },
      change: { ...BAD_LABEL, type: 'kubernetes.io/tls' },
    },
  ],
  [
    'of a StorageClass',
    {
      path: '/apis/storage.k8s.io/v1/storageclasses',
      object: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'example.com/p' },
      change: { ...BAD_LABEL, provisioner: 'Bad_Name/' },
    },
  ],
  [
    'of the controller of an IngressClass',
    {
      path: '/apis/networking.k8s.io/v1/ingressclasses',
      object: { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', spec: { controller: 'example.com/c' } },
      change: { ...BAD_LABEL, spec: { controller: 'example.com/d' } },
    },
  ],
  [
    'of a Namespace’s labels',
    { path: '/api/v1/namespaces', object: { apiVersion: 'v1', kind: 'Namespace' }, change: BAD_LABEL },
  ],
  [
    'of a RuntimeClass',
    {
      path: '/apis/node.k8s.io/v1/runtimeclasses',
      object: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', handler: 'a' },
      change: { ...BAD_LABEL, handler: 'b' },
    },
  ],
];
