/** An invalid object, its path, and the error of kube-apiserver 1.36. */
export type RefusedObject = readonly [title: string, path: string, object: object, why: string];

export const REFUSED_OBJECTS: readonly RefusedObject[] = [
  [
    'a Pod with a probe that does nothing',
    '/api/v1/namespaces/default/pods',
    { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'c', image: 'i', livenessProbe: {} }] } },
    'spec.containers[0].livenessProbe: Required value: must specify a handler type',
  ],
  [
    'a Pod with two containers of one name',
    '/api/v1/namespaces/default/pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: {
        containers: [
          { name: 'c', image: 'i' },
          { name: 'c', image: 'i' },
        ],
      },
    },
    'spec.containers[1].name: Duplicate value: "c"',
  ],
  [
    'a Pod that mounts a missing volume',
    '/api/v1/namespaces/default/pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }] },
    },
    'spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ],
  [
    'a Pod with an unknown operator in a toleration',
    '/api/v1/namespaces/default/pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { containers: [{ name: 'c', image: 'i' }], tolerations: [{ key: 'k', operator: 'Odd' }] },
    },
    'spec.tolerations[0].operator: Unsupported value: "Odd": supported values: "Equal", "Exists"',
  ],
  [
    'a Pod with requests above its limits',
    '/api/v1/namespaces/default/pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] },
    },
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'a Service with two equal ports',
    '/api/v1/namespaces/default/services',
    {
      apiVersion: 'v1',
      kind: 'Service',
      spec: {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ],
      },
    },
    'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
  ],
  [
    'a headless Service of type LoadBalancer',
    '/api/v1/namespaces/default/services',
    { apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer', clusterIP: 'None', ports: [{ port: 80 }] } },
    'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for LoadBalancer services',
  ],
  [
    'a Service with a node port out of range',
    '/api/v1/namespaces/default/services',
    { apiVersion: 'v1', kind: 'Service', spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] } },
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  [
    'a Service with an address out of range',
    '/api/v1/namespaces/default/services',
    { apiVersion: 'v1', kind: 'Service', spec: { clusterIP: '1.2.3.4', ports: [{ port: 80 }] } },
    'spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: the provided network does not match the current range',
  ],
  [
    'a dual-stack Service in a cluster with one IP family',
    '/api/v1/namespaces/default/services',
    { apiVersion: 'v1', kind: 'Service', spec: { ipFamilyPolicy: 'RequireDualStack', ports: [{ port: 80 }] } },
    'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ],
  [
    'an ExternalName Service without a name',
    '/api/v1/namespaces/default/services',
    { apiVersion: 'v1', kind: 'Service', spec: { type: 'ExternalName' } },
    'spec.externalName: Required value',
  ],
  [
    'a Secret of a type without its keys',
    '/api/v1/namespaces/default/secrets',
    { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/basic-auth' },
    '[data[username]: Required value, data[password]: Required value]',
  ],
  [
    'a Namespace with an unknown finalizer',
    '/api/v1/namespaces',
    { apiVersion: 'v1', kind: 'Namespace', spec: { finalizers: ['odd'] } },
    'spec.finalizers: Invalid value: "odd": name is neither a standard finalizer name nor is it fully qualified',
  ],
  [
    'an Endpoints object with a loopback address',
    '/api/v1/namespaces/default/endpoints',
    { apiVersion: 'v1', kind: 'Endpoints', subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 0 }] }] },
    '[subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128), subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive]',
  ],
  [
    'a claim with an unknown access mode and size zero',
    '/api/v1/namespaces/default/persistentvolumeclaims',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      spec: { accessModes: ['Odd'], resources: { requests: { storage: '0' } } },
    },
    '[spec.accessModes: Unsupported value: "Odd": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", spec.resources[storage]: Invalid value: "0": must be greater than zero]',
  ],
  [
    'a volume without a type',
    '/api/v1/persistentvolumes',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
    },
    'spec: Required value: must specify a volume type',
  ],
  [
    'a Deployment with an unknown strategy',
    '/apis/apps/v1/namespaces/default/deployments',
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        strategy: { type: 'Odd' },
      },
    },
    'spec.strategy: Unsupported value: {"Type":"Odd","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
  ],
  [
    'a Deployment with zero maxSurge and maxUnavailable',
    '/apis/apps/v1/namespaces/default/deployments',
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } },
      },
    },
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  ],
  [
    'a StatefulSet with an unknown podManagementPolicy',
    '/apis/apps/v1/namespaces/default/statefulsets',
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        podManagementPolicy: 'Odd',
        updateStrategy: { type: 'Odd' },
      },
    },
    '[spec.podManagementPolicy: Invalid value: "Odd": must be \'OrderedReady\' or \'Parallel\', spec.updateStrategy: Invalid value: {"Type":"Odd","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\']',
  ],
  [
    'a DaemonSet with both maxSurge and maxUnavailable',
    '/apis/apps/v1/namespaces/default/daemonsets',
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
      },
    },
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
  ],
  [
    'a Job with restartPolicy Always',
    '/apis/batch/v1/namespaces/default/jobs',
    { apiVersion: 'batch/v1', kind: 'Job', spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } } },
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    'a CronJob with an invalid schedule and time zone',
    '/apis/batch/v1/namespaces/default/cronjobs',
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      spec: {
        schedule: '* * * *',
        timeZone: 'Nowhere/Land',
        jobTemplate: {
          spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } },
        },
      },
    },
    '[spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *], spec.timeZone: Invalid value: "Nowhere/Land": unknown time zone Nowhere/Land]',
  ],
  [
    'an autoscaler with zero replicas and an incomplete target',
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: { minReplicas: 0, maxReplicas: 0, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
    },
    '[spec.minReplicas: Invalid value: 0: must be greater than or equal to 1, spec.maxReplicas: Required value: must be set and greater than 0, spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group, spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas]',
  ],
  [
    'a budget with both bounds',
    '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { minAvailable: 1, maxUnavailable: 'x' } },
    '[spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"x","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set, spec.maxUnavailable: Invalid value: "x": a valid percent string must be a numeric string followed by an ending \'%\' (e.g. \'1%\',  or \'93%\', regex used for validation is \'[0-9]+%\')]',
  ],
  [
    'an Ingress without a backend',
    '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      spec: { rules: [{ host: '1.2.3.4', http: { paths: [{ path: 'a', pathType: 'Prefix', backend: {} }] } }] },
    },
    '[spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address, spec.rules[0].http.paths[0].path: Invalid value: "a": must be an absolute path, spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required]',
  ],
  [
    'a NetworkPolicy with an invalid block of addresses',
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      spec: {
        podSelector: {},
        ingress: [
          { from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }], ports: [{ port: 90, endPort: 80 }] },
        ],
      },
    },
    '[spec.ingress[0].ports[0].endPort: Invalid value: 90: must be greater than or equal to `port`, spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`]',
  ],
  [
    'an EndpointSlice with an address of another IP family',
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      addressType: 'IPv6',
      endpoints: [{ addresses: ['10.1.2.3'] }],
    },
    'endpoints[0].addresses: Invalid value: "10.1.2.3": must be an IPv6 address',
  ],
  [
    'a StorageClass with an unknown volumeBindingMode',
    '/apis/storage.k8s.io/v1/storageclasses',
    { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'example.com/p', volumeBindingMode: 'Odd' },
    'volumeBindingMode: Unsupported value: "Odd": supported values: "Immediate", "WaitForFirstConsumer"',
  ],
  [
    'a PriorityClass with a value of the system',
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 2000000000 },
    'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
  ],
  [
    'a webhook without a server to call',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      webhooks: [{ name: 'short', clientConfig: {}, sideEffects: 'Some', admissionReviewVersions: ['v9'] }],
    },
    '[webhooks[0].name: Invalid value: "short": should be a domain with at least three segments separated by dots, webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun", webhooks[0].clientConfig: Required value: exactly one of url or service is required, webhooks[0].admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1]',
  ],
];
