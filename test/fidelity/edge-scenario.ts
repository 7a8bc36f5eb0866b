import type { ApiCall } from './api-endpoint.js';
import {
  core,
  group,
  MERGE,
  post,
  put,
  patch,
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

const pod = (name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container], ...spec },
});
const daemonSet = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 's' } };
const role = (metadata: object) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'going', ...metadata },
  rules: [],
});
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const TIME = '2026-01-01T00:00:00Z';

const unreadable: readonly ApiCall[] = [
  post(core('pods'), pod('q', { overhead: { odd: { a: 1 } } })),
  post(core('pods'), pod('q', { containers: [{ name: 'c', resources: { requests: true } }] })),
  post(core('pods'), pod('q', { tolerations: [{ operator: -1 }] })),
  post(core('pods'), pod('q', { volumes: [{ name: 'v', emptyDir: 3 }] })),
  post(core('pods', '', '?fieldValidation=Strict'), pod('q', { volumes: [{ name: 'v', emptyDir: { odd: 1 } }] })),
  post(core('secrets'), {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'bytes' },
    data: { a: [104, 105], b: [] },
  }),
  post(group('batch/v1', 'jobs'), { apiVersion: 'batch/v1', kind: 'Job', metadata: null, spec: { template } }),
];

const deletions: readonly ApiCall[] = [
  del(group('batch/v1', 'jobs')),
  del(group('batch/v1', 'jobs', '', '?propagationPolicy=Background')),
  post(core('configmaps'), cm('live')),
  put(core('configmaps', 'live'), { ...cm('live'), metadata: { name: 'live', deletionTimestamp: TIME } }),
  patch(core('configmaps', 'live'), MERGE, { metadata: { deletionGracePeriodSeconds: 3 } }),
  post(group('rbac.authorization.k8s.io/v1', 'roles'), role({ finalizers: ['example.com/f'] })),
  del(group('rbac.authorization.k8s.io/v1', 'roles', 'going')),
  put(group('rbac.authorization.k8s.io/v1', 'roles', 'going'), role({})),
  post('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'going', finalizers: ['a.b/c'] },
  }),
  del('/api/v1/namespaces/going'),
  put('/api/v1/namespaces/going/finalize', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'going', finalizers: ['a.b/c'] },
    spec: { finalizers: [] },
  }),
  del('/api/v1/namespaces/going'),
];

const tokensAndForms: readonly ApiCall[] = [
  post(core('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sa' } }),
  post(core('serviceaccounts', 'sa', '/token'), { spec: { audiences: ['a'] } }),
  post(core('serviceaccounts', 'sa', '/token?fieldManager=me'), { spec: { expirationSeconds: 700 } }),
  post(group('apps/v1', 'daemonsets'), { ...daemonSet, spec: { selector: { matchLabels: labels }, template } }),
  get(group('apps/v1', 'daemonsets', 's'), PARTIAL),
  get(group('apps/v1', 'daemonsets'), TABLE),
  post(widgets(), { ...widget('other', { size: 11, mode: 'slow' }), kind: 'Other' }),
];

/** Edge cases: unreadable bodies, objects that are being deleted, content types; in order. */
export const edgeScenario: readonly ApiCall[] = [...unreadable, ...deletions, ...tokensAndForms];
