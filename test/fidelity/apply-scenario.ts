import type { ApiCall } from './api-endpoint.js';
import {
  apply,
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
  template,
} from './scenario-calls.js';

const daemonSets = (name = ''): string => group('apps/v1', 'daemonsets', name);
const daemonSet = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name, ...metadata },
  spec: { selector: { matchLabels: labels }, template, ...spec },
});
const service = (name: string, spec: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
const account = (more: object) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'odd' }, ...more });
const GROUP = 'fidelity.example.com';
const custom = (kind: string, version = 'v1', name = ''): string =>
  group(`${GROUP}/${version}`, `${kind.toLowerCase()}s`, name);
const resource = (kind: string, name: string, more: object, version = 'v1') => ({
  apiVersion: `${GROUP}/${version}`,
  kind,
  metadata: { name },
  ...more,
});
const GENERATION = 'deprecated.daemonset.template.generation';

/** A number or a name of any type can be applied; it is rejected when the object is decoded. */
const numbersOrNames: readonly ApiCall[] = [
  ...[{}, [1], true, 1.5, { a: 1 }].map((maxUnavailable) =>
    apply(daemonSets('odd'), 'one', daemonSet('odd', { updateStrategy: { rollingUpdate: { maxUnavailable } } })),
  ),
  apply(daemonSets('odd'), 'one', daemonSet('odd', { minReadySeconds: {} })),
  apply(core('services', 'odd'), 'one', service('odd', { ports: [{ port: 80, targetPort: [1] }] })),
];

/** What was there before the first apply, and cannot be merged. */
const unmergeable: readonly ApiCall[] = [
  post(core('serviceaccounts'), account({ secrets: [{}] })),
  apply(core('serviceaccounts', 'odd'), 'one', account({ secrets: [{ name: 'a' }] })),
  patch(core('serviceaccounts', 'odd'), MERGE, { secrets: [{}, { name: 'b' }, { name: 'b' }] }),
  apply(core('serviceaccounts', 'odd'), 'one', account({ imagePullSecrets: [{ name: 'a' }] })),
  apply(core('serviceaccounts', 'odd'), 'one', account({ secrets: [{ name: true }] })),
  put(core('serviceaccounts', 'odd'), account({ metadata: { name: 'odd', managedFields: [] } })),
  put(core('serviceaccounts', 'odd'), account({ metadata: { name: 'odd', managedFields: [{}] } })),
  del(core('serviceaccounts', 'odd')),
];

const versioned = (version: string, more: object) => resource('Versioned', 'shared', more, version);
const versions: readonly ApiCall[] = [
  apply(custom('Versioned', 'v1', 'shared'), 'one', versioned('v1', { spec: { size: 1 }, status: { note: 's' } })),
  apply(custom('Versioned', 'v1beta1', 'shared/status'), 'two', versioned('v1beta1', { status: { note: 't' } })),
  ...[false, true].map((force) =>
    apply(
      custom('Versioned', 'v1', 'shared'),
      'three',
      versioned('v1', { spec: { note: 'b' }, status: { note: 'u' } }),
      force,
    ),
  ),
  get(custom('Versioned', 'v1', 'shared')),
  put(custom('Versioned', 'v2alpha1', 'shared'), {
    ...versioned('v2alpha1', { spec: { size: 4 }, status: { note: 'z' } }),
    metadata: { name: 'shared' },
  }),
  apply(custom('Versioned', 'v1beta1', 'shared'), 'one', versioned('v1beta1', { spec: { size: 4 } })),
  apply(custom('Versioned', 'v1', 'shared'), 'one', versioned('v1', {}), true),
  get(custom('Versioned', 'v2alpha1', 'shared')),
  del(custom('Versioned', 'v1', 'shared')),
];

const autoscalers = (version: string, name = ''): string =>
  group(`autoscaling/${version}`, 'horizontalpodautoscalers', name);
const autoscaler = (version: string, more: object) => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'shared' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3, ...more },
});
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
const builtInVersions: readonly ApiCall[] = [
  apply(autoscalers('v2', 'shared'), 'one', autoscaler('v2', { metrics: [cpu], minReplicas: 2 })),
  ...[false, true].map((force) =>
    apply(
      autoscalers('v1', 'shared'),
      'two',
      autoscaler('v1', { targetCPUUtilizationPercentage: 60, minReplicas: 3 }),
      force,
    ),
  ),
  get(autoscalers('v2', 'shared')),
  get(autoscalers('v1', 'shared')),
  put(autoscalers('v1', 'shared'), autoscaler('v1', {})),
  apply(autoscalers('v1', 'shared'), 'one', autoscaler('v1', {}), true),
  del(autoscalers('v1', 'shared')),
];

const emptyLists: readonly ApiCall[] = [
  apply(custom('Listed', 'v1', 'none'), 'a', resource('Listed', 'none', { spec: { set: [1], pairs: [] } })),
  apply(custom('Listed', 'v1', 'none'), 'b', resource('Listed', 'none', { spec: { pairs: [] } })),
  apply(custom('Listed', 'v1', 'none'), 'a', resource('Listed', 'none', { spec: {} })),
  get(custom('Listed', 'v1', 'none')),
  del(custom('Listed', 'v1', 'none')),
  post(custom('Listed'), resource('Listed', 'twice', { spec: { pairs: [{ key: 'z', value: '2' }] } })),
  put(custom('Listed', 'v1', 'twice'), {
    ...resource('Listed', 'twice', { spec: { pairs: [{ key: 'z' }, { key: 'z', value: '2' }] } }),
    metadata: { name: 'twice', resourceVersion: '$version' },
  }),
  del(custom('Listed', 'v1', 'twice')),
];

const leaving = (finalizers: readonly string[], more: object = {}) =>
  resource('Listed', 'leaving', { metadata: { name: 'leaving', finalizers, ...more }, spec: { set: [1] } });
const empty = { labels: {}, annotations: {} };
/** The last response contains the object of the request, which was not read from the store. */
const lastAnswers: readonly ApiCall[] = [
  apply(custom('Listed', 'v1', 'leaving'), 'a', leaving(['example.com/f'])),
  apply(custom('Listed', 'v1', 'leaving'), 'b', leaving(['example.com/f'], empty)),
  del(custom('Listed', 'v1', 'leaving')),
  apply(custom('Listed', 'v1', 'leaving'), 'b', leaving([], empty)),
  apply(custom('Listed', 'v1', 'leaving'), 'a', leaving([], empty)),
  apply(custom('Listed', 'v1', 'leaving'), 'a', leaving(['example.com/f'])),
  del(custom('Listed', 'v1', 'leaving')),
  apply(custom('Listed', 'v1', 'leaving'), 'a', leaving([], { labels: null, annotations: {} })),
];

const generations: readonly ApiCall[] = [
  ...['x', '99999999999999999999', '3'].map((generation) =>
    post(daemonSets(), daemonSet('generation', {}, { annotations: { [GENERATION]: generation } })),
  ),
  apply(daemonSets('generation'), 'two', daemonSet('generation', {}, { annotations: { [GENERATION]: '3' } })),
  patch(daemonSets('generation'), MERGE, {
    spec: { template: { spec: { terminationGracePeriodSeconds: -1 } } },
  }),
  patch(daemonSets('generation'), MERGE, { spec: { minReadySeconds: 3 } }),
  patch(daemonSets('generation'), MERGE, { metadata: { annotations: null } }),
  del(daemonSets('generation')),
  post(group('apps/v1', 'deployments'), {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'rollback', annotations: { 'deprecated.deployment.rollback.to': 'x' } },
    spec: { selector: { matchLabels: labels }, template },
  }),
];

const jobs = (name = ''): string => group('batch/v1', 'jobs', name);
const job = (podTemplate: object) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'labelled' },
  spec: { template: { ...podTemplate, spec: { containers: [container], restartPolicy: 'Never' } } },
});
const generatedLabels: readonly ApiCall[] = [
  apply(jobs('labelled'), 'one', job({ metadata: { labels: { app: 'x' } } })),
  apply(jobs('labelled'), 'one', job({}), true),
  del(jobs('labelled')),
];

/** Applied configurations and the resulting owners; in order. */
export const applyScenario: readonly ApiCall[] = [
  ...numbersOrNames,
  ...unmergeable,
  ...versions,
  ...builtInVersions,
  ...emptyLists,
  ...lastAnswers,
  ...generations,
  ...generatedLabels,
];
