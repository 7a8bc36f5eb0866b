import type { ApiCall } from './api-endpoint.js';
import { LIMITED } from './limit-kinds.js';
import { core, del, get, group, labels, MERGE, patch, post, put, TABLE, template } from './scenario-calls.js';

const limited = (plural: string, rest = ''): string => `/api/v1/namespaces/${LIMITED}/${plural}${rest}`;
const quota = (spec: object) => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec });
const range = (...limits: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'l' },
  spec: { limits },
});
const gpu = 'example.com/gpu';

const limits: readonly ApiCall[] = [
  ...[
    { hard: { odd: '1' } },
    { hard: { 'bad name': '1' } },
    { hard: { pods: '1.5' } },
    { hard: { storage: '1Gi' } },
    { hard: { cpu: '-1' } },
    { hard: { services: '1' }, scopes: ['BestEffort', 'NotBestEffort', 'Odd'] },
    { hard: { cpu: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'In' }] } },
    { scopeSelector: { matchExpressions: [{ scopeName: 'Odd', operator: 'Odd', values: ['a'] }] } },
    { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }] } },
    { hard: { 'requests.cpu': '2', 'limits.cpu': '1', [`requests.${gpu}`]: '1', 'hugepages-2Mi': '2Mi' } },
  ].map((spec) => post(limited('resourcequotas'), quota(spec))),
  patch(limited('resourcequotas', '/q'), MERGE, { spec: { scopes: ['Terminating'] } }),
  patch(limited('resourcequotas', '/q/status'), MERGE, { status: { used: { odd: '-1' } } }),
  del(limited('resourcequotas', '/q')),
  ...[
    [{ type: 'Odd' }],
    [
      { type: 'Pod', max: { cpu: '1' }, default: { cpu: '1' }, defaultRequest: { cpu: '1' } },
      { type: 'Pod', max: { storage: '1' } },
    ],
    [{ type: 'PersistentVolumeClaim' }],
    [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }],
    [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' }, maxLimitRequestRatio: { cpu: '3' } }],
    [{ type: 'Container', default: { [gpu]: '2' }, defaultRequest: { [gpu]: '1' } }],
    [{ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }],
    [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' } }],
  ].map((all) => post(limited('limitranges'), range(...all))),
  put(limited('limitranges', '/l'), range({ type: 'Odd' })),
  del(limited('limitranges', '/l')),
];

const controllers = (name = '', rest = ''): string => core('replicationcontrollers', name, rest);
const controller = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: { name: 'rc' },
  spec,
});
const revisions = (name = ''): string => group('apps/v1', 'controllerrevisions', name);
const revision = (more: object) => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name: 'r' },
  ...more,
});
const podTemplate = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 't' },
  template: { metadata: { labels }, spec: { ...template.spec, ...spec } },
});

const templates: readonly ApiCall[] = [
  ...[
    { replicas: -1 },
    { selector: { app: 'other' }, template },
    { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 1 } } },
    { template },
  ].map((spec) => post(controllers(), controller(spec))),
  put(controllers('rc', '/status'), { ...controller({}), status: { replicas: 1, readyReplicas: 2 } }),
  put(controllers('rc', '/scale'), {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'rc', generation: -1 },
    spec: { replicas: -1 },
  }),
  patch(controllers('rc'), MERGE, { spec: { template: { spec: { terminationGracePeriodSeconds: -1 } } } }),
  patch(controllers('rc'), MERGE, { spec: { minReadySeconds: 1 } }),
  del(controllers('rc')),
  post(core('podtemplates'), podTemplate({ hostname: 'Bad_Name' })),
  post(core('podtemplates'), podTemplate({ hostNetwork: true })),
  get(core('podtemplates'), TABLE),
  del(core('podtemplates', 't')),
  ...[{ revision: -1 }, { data: [1], revision: 1 }, { data: { a: { b: 1 } }, revision: 1 }].map((more) =>
    post(revisions(), revision(more)),
  ),
  patch(revisions('r'), MERGE, { data: { a: { b: 2 } } }),
  patch(revisions('r'), MERGE, { data: null }),
  del(revisions('r')),
  post(group('apps/v1', 'statefulsets'), {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'with.dot' },
    spec: { selector: { matchLabels: labels }, template },
  }),
];

const storage = (plural: string, name = ''): string => `/apis/storage.k8s.io/v1/${plural}${name && `/${name}`}`;
const of = (kind: string, more: object, version = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind,
  metadata: { name: 's', ...version },
  ...more,
});
const VERSION = { resourceVersion: '$version' };

const drivers: readonly ApiCall[] = [
  post(
    storage('csidrivers'),
    of('CSIDriver', {
      spec: {
        fsGroupPolicy: 'Odd',
        volumeLifecycleModes: ['Odd'],
        nodeAllocatableUpdatePeriodSeconds: 5,
        serviceAccountTokenInSecrets: true,
      },
    }),
  ),
  post(
    storage('csidrivers'),
    of('CSIDriver', { spec: { tokenRequests: [{ audience: 'a', expirationSeconds: 5 }, { audience: 'a' }] } }),
  ),
  post(storage('csidrivers'), of('CSIDriver', { spec: { tokenRequests: [{ audience: 'a' }] } })),
  put(storage('csidrivers', 's'), of('CSIDriver', { spec: { attachRequired: false } }, VERSION)),
  put(storage('csidrivers', 's'), of('CSIDriver', { spec: { podInfoOnMount: true } }, VERSION)),
  del(storage('csidrivers', 's')),
  post(
    storage('csinodes'),
    of('CSINode', {
      spec: {
        drivers: [
          { name: 'a', nodeID: '', topologyKeys: ['', 'z', 'z'], allocatable: { count: -1 } },
          { name: 'a', nodeID: 'n' },
          { name: 'Bad_Name', nodeID: 'n' },
        ],
      },
    }),
  ),
  post(
    storage('csinodes'),
    of('CSINode', { spec: { drivers: [{ name: 'a', nodeID: 'n', allocatable: { count: 1 } }] } }),
  ),
  put(storage('csinodes', 's'), of('CSINode', { spec: { drivers: [{ name: 'a', nodeID: 'm' }] } }, VERSION)),
  del(storage('csinodes', 's')),
  post(group('storage.k8s.io/v1', 'csistoragecapacities'), of('CSIStorageCapacity', { capacity: '-1' })),
  post(group('storage.k8s.io/v1', 'csistoragecapacities'), of('CSIStorageCapacity', { storageClassName: 'a' })),
  put(
    group('storage.k8s.io/v1', 'csistoragecapacities', 's'),
    of('CSIStorageCapacity', { storageClassName: 'b', nodeTopology: { matchLabels: {} } }, VERSION),
  ),
  del(group('storage.k8s.io/v1', 'csistoragecapacities', 's')),
  post(storage('volumeattributesclasses'), of('VolumeAttributesClass', { driverName: 'Bad_Name/' })),
  post(storage('volumeattributesclasses'), of('VolumeAttributesClass', { driverName: 'a', parameters: { a: '1' } })),
  put(storage('volumeattributesclasses', 's'), of('VolumeAttributesClass', { driverName: 'b', parameters: {} })),
  del(storage('volumeattributesclasses', 's')),
];

/** Limits, templates and storage drivers; in order. */
export const kindsScenario: readonly ApiCall[] = [...limits, ...templates, ...drivers];
