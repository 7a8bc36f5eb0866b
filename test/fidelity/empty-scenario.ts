import type { ApiCall } from './api-endpoint.js';
import {
  apply,
  cm,
  container,
  core,
  del,
  get,
  group,
  labels,
  MERGE,
  patch,
  post,
  put,
  STRATEGIC,
  template,
  widget,
  widgets,
} from './scenario-calls.js';

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const webhooks = (more: object) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'empty', resourceVersion: '$version' },
  ...more,
});
const claims = (name = '', rest = ''): string => core('persistentvolumeclaims', name, rest);
const claim = (accessModes: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'empty' },
  spec: { accessModes, resources: { requests: { storage: '1Gi' } } },
});
const jobs = (name = '', rest = ''): string => group('batch/v1', 'jobs', name, rest);
const job = (more: object) => ({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'empty' }, ...more });
const daemonSets = (name = '', rest = ''): string => group('apps/v1', 'daemonsets', name, rest);
const daemonSet = (more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'counted' },
  spec: { selector: { matchLabels: labels }, template },
  ...more,
});
const policies = group('networking.k8s.io/v1', 'networkpolicies', '', '?dryRun=All');
const policy = (spec: object) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'empty' },
  spec: { podSelector: {}, ...spec },
});
const node = (spec: object) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'network' }, spec });

/** An empty list is omitted once it is stored, and not before. */
const emptied: readonly ApiCall[] = [
  post(WEBHOOKS, webhooks({ webhooks: [], metadata: { name: 'empty' } })),
  put(`${WEBHOOKS}/empty`, webhooks({ webhooks: [] })),
  put(`${WEBHOOKS}/empty`, webhooks({})),
  del(`${WEBHOOKS}/empty`),
  post(claims(), claim(['ReadWriteOnce'])),
  put(claims('empty'), claim([])),
  del(claims('empty')),
  post('/api/v1/persistentvolumes', {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'empty' },
    spec: { accessModes: [], capacity: {}, hostPath: { path: '/' } },
  }),
  post(core('configmaps'), cm('fixed', { immutable: true })),
  put(core('configmaps', 'fixed'), cm('fixed', { immutable: true, binaryData: {} })),
  put(core('configmaps', 'fixed'), cm('fixed', { immutable: true, data: {} })),
  del(core('configmaps', 'fixed')),
  post(policies, policy({ policyTypes: [], egress: [] })),
  post(policies, policy({ egress: [{}] })),
  apply(core('secrets', 'none'), 'one', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'none' },
    data: { y: null },
  }),
  get(core('secrets', 'none')),
  del(core('secrets', 'none')),
];

/** What defaulting and conversion make of an object that is read back from the store. */
const readBack: readonly ApiCall[] = [
  ...['?dryRun=All', ''].map((query) =>
    post(jobs('', query), job({ spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } })),
  ),
  put(jobs('empty', '/status?dryRun=All'), job({ status: { active: 1 } })),
  del(jobs('empty')),
  put(jobs('empty', '/status'), job({ status: { active: 1 } })),
  post(daemonSets('', '?fieldManager=one'), daemonSet()),
  put(daemonSets('counted', '?fieldManager=two'), daemonSet()),
  put(
    daemonSets('counted', '/status?fieldManager=three'),
    daemonSet({
      status: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 1 },
    }),
  ),
  patch(daemonSets('counted', '?fieldManager=two'), MERGE, { metadata: { annotations: null } }),
  del(daemonSets('counted')),
  post('/api/v1/nodes', node({ podCIDR: '10.1.0.0/24' })),
  put('/api/v1/nodes/network', node({ podCIDR: 'odd' })),
  put('/api/v1/nodes/network', node({ podCIDRs: ['10.1.0.0/24'] })),
  put('/api/v1/nodes/network', node({ podCIDRs: ['10.2.0.0/24'] })),
  apply('/api/v1/nodes/network', 'one', node({ unschedulable: true }), true),
  put('/api/v1/nodes/network/status', { ...node({}), status: { capacity: { cpu: -1 } } }),
  del('/api/v1/nodes/network'),
];

const odd: readonly ApiCall[] = [
  post(policies, policy({ ingress: [{ ports: [{ port: 1.5 }] }] })),
  post(policies, policy({ ingress: [{ ports: [{ port: { a: 1 } }] }] })),
  put(core('services', 'made', '/status?fieldManager=one'), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'made' },
    spec: { ports: [{ port: 80 }] },
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
  }),
  del(core('services', 'made')),
  post(widgets(), widget('odd', { size: 3 })),
  ...[
    { kind: 'Other', spec: { tags: ['a', 'a'] } },
    { apiVersion: 'other/v1', spec: { size: null } },
  ].map((change) => patch(widgets('odd'), MERGE, change)),
  del(widgets('odd')),
  put('/apis/node.k8s.io/v1/runtimeclasses/missing', {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'missing', uid: '11111111-1111-1111-1111-111111111111' },
    handler: 'a',
  }),
  post('/apis/node.k8s.io/v1/runtimeclasses', {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'heavy' },
    handler: 'a',
    overhead: { podFixed: { odd: 1 } },
  }),
  ...[{}, { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }] }].map((aggregationRule) =>
    post('/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'sum' },
      rules: [],
      aggregationRule,
    }),
  ),
  ...['Upper_Case', 'a/b'].map((name) =>
    post(group('policy/v1', 'poddisruptionbudgets', '', '?dryRun=All'), {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { minAvailable: 1 },
    }),
  ),
  post(core('pods'), { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'list' }, spec: { containers: [container] } }),
  ...[1, 'a', null].map((item) => patch(core('pods', 'list'), STRATEGIC, { spec: { containers: [item] } })),
  put(core('pods', 'list'), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'list' },
    spec: { containers: [{ ...container, image: '' }], tolerations: [{ key: 'k', operator: 'Odd' }] },
  }),
  patch(core('pods', 'list', '/ephemeralcontainers'), STRATEGIC, {
    spec: { ephemeralContainers: [{ name: 'e', image: 'busybox' }] },
  }),
  put(core('pods', 'list'), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'list' },
    spec: { containers: [container] },
  }),
  del(core('pods', 'list'), { dryRun: ['All'] }),
  patch(core('pods', 'list'), MERGE, { metadata: { finalizers: ['example.com/f'] } }),
  ...[30, undefined, 0, 0].map((gracePeriodSeconds, index) =>
    del(core('pods', 'list'), { gracePeriodSeconds, propagationPolicy: index === 3 ? 'Background' : 'Orphan' }),
  ),
  patch(core('pods', 'list'), MERGE, { metadata: { finalizers: null } }),
  del(core('pods', 'list'), { gracePeriodSeconds: 0 }),
];

/** Empty values, values that the store changes, and invalid values; in order. */
export const emptyScenario: readonly ApiCall[] = [...emptied, ...readBack, ...odd];
