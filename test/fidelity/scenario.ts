import { triedAdmission } from './admission-kinds.js';
import { triedSchemas } from './flow-kinds.js';
import { triedDefinitions } from './definition-kinds.js';
import { NAMES } from './random-calls.js';
import { clusterScenario } from './cluster-scenario.js';
import { customDefinitions } from './custom-definitions.js';
import type { ApiCall } from './api-endpoint.js';
import { applyScenario } from './apply-scenario.js';
import { edgeScenario } from './edge-scenario.js';
import { emptyScenario } from './empty-scenario.js';
import { DETAILED } from './detailed-kinds.js';
import { LIMITED } from './limit-kinds.js';
import { EVENTS } from './event-kinds.js';
import { formatScenario } from './format-scenario.js';
import { kindsScenario } from './kinds-scenario.js';
import { mixedScenario } from './mixed-scenario.js';
import { oddScenario } from './odd-scenario.js';
import { podScenario } from './pod-scenario.js';
import { evictionScenario } from './eviction-scenario.js';
import {
  NS,
  core,
  group,
  MERGE,
  JSON_PATCH,
  STRATEGIC,
  APPLY,
  post,
  put,
  patch,
  apply,
  get,
  del,
  TABLE,
  cm,
  labels,
  container,
  template,
  widgets,
  widget,
} from './scenario-calls.js';

const deployment = (spec: object) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec });
/** What any server has to have before the scenario. */
export const setUp: readonly ApiCall[] = [
  ...[NS, LIMITED, DETAILED, EVENTS].map((name) =>
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  ),
  ...[...customDefinitions(), ...triedDefinitions()].map((definition) =>
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition),
  ),
  ...[...triedAdmission(NAMES), ...triedSchemas(NAMES)].map(([path, body]) => post(path, body)),
];

const configMaps: readonly ApiCall[] = [
  post(core('configmaps'), cm('a', { data: { x: '1' } })),
  post(core('configmaps'), cm('a')),
  post(core('configmaps'), cm('A_', { data: { 'a b': 'x' } })),
  post(core('configmaps'), cm('b', { data: { x: 1 } })),
  post(core('configmaps'), cm('b', { foo: 1, data: {} })),
  post(core('configmaps', '', '?fieldValidation=Strict'), cm('c', { foo: 1 })),
  post(core('configmaps'), { ...cm('x'), metadata: { name: 'x', namespace: 'other' } }),
  post(core('configmaps'), { ...cm('x'), metadata: { name: 'x', resourceVersion: '5' } }),
  post(core('configmaps'), {
    ...cm('x'),
    metadata: { name: 'x', labels: { a: 'b c', 'x/y/z': '' }, finalizers: ['nope'] },
  }),
  post(core('configmaps'), '{bad'),
  post(core('configmaps'), ''),
  post(core('configmaps', '', '?dryRun=All'), cm('dry')),
  post(core('configmaps', '', '?dryRun=Some'), cm('dry')),
  get(core('configmaps', 'dry')),
  get(core('configmaps', 'a')),
  get(core('configmaps', 'a'), TABLE),
  get(core('configmaps', 'a'), 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'),
  get(core('configmaps', '', '?fieldSelector=metadata.name=a')),
  get(core('configmaps', '', '?fieldSelector=nope=a')),
  get(core('configmaps', '', '?labelSelector=a+b')),
  get(core('configmaps', '', '?labelSelector=a+in+(b')),
  get(core('configmaps', '', '?limit=x')),
  get(core('configmaps', '', '?resourceVersion=abc')),
  get(core('configmaps', '', '?resourceVersionMatch=Exact')),
  get(core('configmaps', '', '?continue=abc')),
  get('/api/v1/foos'),
  get('/apis/foo/v1/x'),
  { method: 'PUT', path: '/api/v1/configmaps', body: {} },
  put(core('configmaps', 'a'), cm('a', { data: { x: '2', y: '3' } })),
  put(core('configmaps', 'a'), cm('a', { data: { x: '2', y: '3' } })),
  put(core('configmaps', 'a'), cm('z')),
  put(core('configmaps', 'a'), { ...cm('a'), metadata: { name: 'a', resourceVersion: '1' } }),
  put(core('configmaps', 'a'), { ...cm('a'), metadata: { name: 'a', uid: 'nope' } }),
  put(core('configmaps', 'nope'), cm('nope')),
  patch(core('configmaps', 'a'), MERGE, { data: { y: null, z: '4' }, metadata: { labels: { k: 'v' } } }),
  patch(core('configmaps', 'a'), JSON_PATCH, [
    { op: 'add', path: '/data/w', value: '5' },
    { op: 'test', path: '/data/w', value: '5' },
  ]),
  patch(core('configmaps', 'a'), JSON_PATCH, [{ op: 'test', path: '/data/w', value: '6' }]),
  patch(core('configmaps', 'a'), JSON_PATCH, [{ op: 'remove', path: '/data/nope' }]),
  patch(core('configmaps', 'a'), JSON_PATCH, { no: 1 }),
  patch(core('configmaps', 'a'), STRATEGIC, { data: { w: null }, metadata: { finalizers: ['example.com/f'] } }),
  patch(core('configmaps', 'a'), 'text/plain', {}),
  del(core('configmaps', 'a'), { preconditions: { uid: 'nope' } }),
  del(core('configmaps', 'a')),
  get(core('configmaps', 'a')),
  patch(core('configmaps', 'a'), MERGE, { metadata: { finalizers: ['example.com/f', 'example.com/g'] } }),
  patch(core('configmaps', 'a'), MERGE, { metadata: { finalizers: null } }),
  get(core('configmaps', 'a')),
  del(core('configmaps', 'a')),
  apply(core('configmaps', 's'), 'one', cm('s', { data: { a: '1', b: '2' } })),
  apply(core('configmaps', 's'), 'two', cm('s', { data: { a: '9' } })),
  apply(core('configmaps', 's'), 'two', cm('s', { data: { a: '9' } }), true),
  apply(core('configmaps', 's'), 'one', cm('s', { data: { c: '3' } })),
  apply(core('configmaps', 's'), 'one', cm('s', { data: { c: '3' } })),
  patch(core('configmaps', 's'), APPLY, cm('s')),
  put(core('configmaps', 's'), cm('s', { data: { a: 'update' } })),
  del(core('configmaps')),
];

const workloads: readonly ApiCall[] = [
  post(group('apps/v1', 'deployments', '', '?dryRun=All'), deployment({ replicas: '3' })),
  post(group('apps/v1', 'deployments', '', '?dryRun=All'), deployment({})),
  post(group('apps/v1', 'deployments', '', '?dryRun=All'), deployment({ selector: { matchLabels: labels }, template })),
  post(
    group('apps/v1', 'deployments', '', '?dryRun=All'),
    deployment({ replicas: -1, selector: { matchLabels: { app: 'y' } }, template }),
  ),
  post(group('apps/v1', 'replicasets', '', '?dryRun=All'), {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'r' },
    spec: { selector: { matchLabels: labels }, template },
  }),
  post(group('apps/v1', 'statefulsets', '', '?dryRun=All'), {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 's' },
    spec: { serviceName: 's', selector: { matchLabels: labels }, template },
  }),
  post(group('apps/v1', 'daemonsets', '', '?dryRun=All'), {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 's' },
    spec: { selector: { matchLabels: labels }, template },
  }),
  post(core('pods', '', '?dryRun=All'), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [container] },
  }),
  post(core('pods', '', '?dryRun=All'), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'X', image: '' }] },
  }),
  post(core('secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } }),
  post(core('secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 't' }, data: { a: '!!' } }),
  del(core('secrets', 's')),
  post(group('coordination.k8s.io/v1', 'leases'), {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l' },
    spec: { holderIdentity: 'x', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.123456Z' },
  }),
  put(group('coordination.k8s.io/v1', 'leases', 'l'), {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l' },
    spec: {},
  }),
  put(group('coordination.k8s.io/v1', 'leases', 'm'), {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'm' },
    spec: { leaseDurationSeconds: 0 },
  }),
  post('/apis/node.k8s.io/v1/runtimeclasses', {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'fidelity' },
    handler: 'runc',
  }),
  patch('/apis/node.k8s.io/v1/runtimeclasses/fidelity', MERGE, { handler: 'other' }),
  post(group('rbac.authorization.k8s.io/v1', 'roles'), {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'r' },
    rules: [{ verbs: [], resources: ['pods'] }],
  }),
  post(group('rbac.authorization.k8s.io/v1', 'rolebindings'), {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'r' },
    roleRef: { kind: 'Role', name: 'r' },
    subjects: [{ kind: 'User', name: 'u' }],
  }),
];

const customResources: readonly ApiCall[] = [
  post(widgets(), widget('a', { size: 3 })),
  post(widgets(), widget('b', { size: '3' })),
  post(widgets(), widget('b', { size: 11, mode: 'odd', name: 'A' })),
  post(widgets(), widget('b', {})),
  post(widgets(), widget('b', { size: 7, mode: 'slow' })),
  post(widgets(), widget('b', { size: 1, extra: true, free: { any: 1 }, port: '80', when: 'no' })),
  post(widgets('', '?fieldValidation=Strict'), widget('b', { size: 1, extra: true })),
  post(widgets(), widget('b', { size: 1, extra: true, free: { any: 1 }, port: '80', tags: ['a', 'a'] })),
  post(
    widgets(),
    widget(
      'c',
      {
        size: 1,
        ports: [
          { port: 1, note: 'x' },
          { port: 2, protocol: 'UDP' },
        ],
        tags: ['a'],
      },
      { status: { note: 'dropped' } },
    ),
  ),
  post(widgets(), { apiVersion: 'fidelity.example.com/v1', metadata: { name: 'k' } }),
  get(widgets()),
  get(widgets(), TABLE),
  get(widgets('', '?fieldSelector=spec.mode=fast')),
  put(widgets('a'), widget('a', { size: 4 })),
  patch(widgets('a'), MERGE, { spec: { size: 4, values: { k: 'v' } } }),
  patch(widgets('a'), STRATEGIC, { spec: { size: 4 } }),
  patch(widgets('a', '/status'), MERGE, {
    status: { note: 'n', replicas: 2 },
    spec: { size: 9 },
    metadata: { labels: { no: 'no' } },
  }),
  get(widgets('a', '/scale')),
  patch(widgets('a', '/scale'), MERGE, { spec: { replicas: 6 } }),
  patch(widgets('a', '/scale'), MERGE, { spec: { replicas: 60 } }),
  get(widgets('a')),
  apply(widgets('c'), 'one', widget('c', { size: 1, ports: [{ port: 3 }], tags: ['b'] })),
  apply(widgets('c'), 'two', widget('c', { size: 1, ports: [{ port: 3, note: 'mine' }, { port: 1 }] })),
  apply(widgets('c'), 'one', widget('c', { size: 1 })),
  apply(widgets('c'), 'one', widget('c', { size: 2 })),
  apply(widgets('n'), 'one', widget('n', { size: 2, values: { a: 'b' } })),
  apply(widgets('n', '/status'), 'st', widget('n', {}, { status: { note: 'x' } })),
  get(widgets('n')),
  del(widgets('a')),
  del(widgets('nope')),
  del(widgets()),
];

/** Requests with responses that must be equal on both servers, in order. */
export const scenario: readonly ApiCall[] = [
  ...configMaps,
  ...workloads,
  ...customResources,
  ...edgeScenario,
  ...evictionScenario,
  ...emptyScenario,
  ...formatScenario,
  ...applyScenario,
  ...mixedScenario,
  ...podScenario,
  ...kindsScenario,
  ...clusterScenario,
  ...oddScenario,
];
