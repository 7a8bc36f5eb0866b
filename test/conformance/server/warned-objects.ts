const POD = { apiVersion: 'v1', kind: 'Pod', path: '/api/v1/namespaces/default/pods' };
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment', path: '/apis/apps/v1/namespaces/default/deployments' };
const SERVICE = { apiVersion: 'v1', kind: 'Service', path: '/api/v1/namespaces/default/services' };
const VOLUME = { apiVersion: 'v1', kind: 'PersistentVolume', path: '/api/v1/persistentvolumes' };

const container = (fields: object = {}): object => ({ name: 'c', image: 'i', ...fields });
const pod = (spec: object): object => ({ containers: [container()], ...spec });

/** Objects that the server accepts with warnings. */
interface WarnedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  readonly metadata?: object;
  readonly [field: string]: unknown;
}

/** Objects that are accepted with warnings, and the warnings. */
export const WARNED_OBJECTS: readonly (readonly [title: string, object: WarnedObject, warnings: readonly string[]])[] =
  [
    [
      'a Pod with a name that is not a DNS label',
      { ...POD, metadata: { name: 'a.b' }, spec: pod({}) },
      [
        "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      ],
    ],
    [
      'a Pod with ports that overlap',
      {
        ...POD,
        spec: pod({
          initContainers: [{ name: 'i', image: 'i', ports: [{ name: 'http', containerPort: 80 }] }],
          containers: [
            container({
              ports: [{ containerPort: 80 }, { name: 'http', containerPort: 81, hostIP: '10.0.0.1' }],
            }),
            { name: 'd', image: 'i', ports: [{ containerPort: 81, hostPort: 81 }] },
          ],
        }),
      },
      [
        'spec.containers[0].ports[0]: duplicate port definition with spec.initContainers[0].ports[0]',
        'spec.containers[0].ports[1]: hostIP set without hostPort: {Name:http HostPort:0 ContainerPort:81 Protocol:TCP HostIP:10.0.0.1}',
        'spec.containers[1].ports[0]: overlapping port definition with spec.containers[0].ports[1]',
        'spec.containers[0].ports[1]: duplicate port name "http" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
      ],
    ],
    [
      'a Pod that defines a variable twice',
      {
        ...POD,
        spec: pod({
          containers: [
            container({
              env: [
                { name: 'A', value: '1' },
                { name: 'A', value: '$(A)2' },
                { name: 'A', value: '3' },
              ],
            }),
          ],
        }),
      },
      ['spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      'a Pod that requests a fraction of a byte',
      { ...POD, spec: pod({ containers: [container({ resources: { limits: { memory: '100m' } } })] }) },
      [
        'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
        'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
      ],
    ],
    [
      'a Pod with deprecated annotations and labels',
      {
        ...POD,
        metadata: { name: 'x', annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } },
        spec: pod({
          nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
          topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
          imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
        }),
      },
      [
        'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
        'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
        'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
        'spec.imagePullSecrets[1].name: duplicate name "a"',
        'spec.imagePullSecrets[2].name: invalid empty name ""',
      ],
    ],
    [
      'a Pod with an affinity to no pods',
      {
        ...POD,
        spec: pod({
          affinity: {
            podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] },
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Exists' }] }],
              },
            },
          },
        }),
      },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
        'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
      ],
    ],
    [
      'a Deployment with a deprecated volume and a negative grace period',
      {
        ...DEPLOYMENT,
        metadata: { name: 'a.b' },
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: {
            metadata: { labels: { app: 'a' } },
            spec: pod({
              terminationGracePeriodSeconds: -1,
              volumes: [{ name: 'v', cephfs: { monitors: ['m'] } }],
            }),
          },
        },
      },
      [
        'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
        'spec.template.spec.volumes[0].cephfs: deprecated in v1.28, non-functional in v1.31+',
        'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
      ],
    ],
    [
      'a Service with an external name and addresses that have no effect',
      {
        ...SERVICE,
        spec: { ports: [{ port: 80 }], externalName: 'example.com', externalIPs: ['2001:DB8::1'] },
      },
      [
        'spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
        'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
        'spec.externalName is ignored when spec.type is not "ExternalName"',
      ],
    ],
    [
      'a headless Service with session affinity and a deprecated preference',
      {
        ...SERVICE,
        spec: { clusterIP: 'None', sessionAffinity: 'ClientIP', trafficDistribution: 'PreferClose' },
      },
      [
        'spec.SessionAffinity is ignored for headless services',
        'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
      ],
    ],
    [
      'a PersistentVolume with the policy Recycle',
      {
        ...VOLUME,
        metadata: { name: 'x', annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          nfs: { server: 's', path: '/' },
          persistentVolumeReclaimPolicy: 'Recycle',
        },
      },
      [
        'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      ],
    ],
    [
      'an EndpointSlice of names',
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
        addressType: 'FQDN',
        endpoints: [{ addresses: ['example.com'] }],
      },
      ['spec.addressType: FQDN endpoints are deprecated'],
    ],
    [
      'an Ingress with its class in an annotation',
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
        metadata: { name: 'x', annotations: { 'kubernetes.io/ingress.class': 'nginx' } },
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      },
      [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`],
    ],
  ];
