import type { ApiCall } from './api-endpoint.js';
import { container, core, del, get, group, MERGE, patch, post } from './scenario-calls.js';

const budgets = (name = ''): string => group('policy/v1', 'poddisruptionbudgets', name);
const pod = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { evicted: 'yes' } },
  spec: { containers: [container], ...spec },
});
const bind = (name: string, { metadata = {}, target = { kind: 'Node', name: 'one' }, query = '' } = {}): ApiCall =>
  post(core('pods', name, `/binding${query}`), {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, ...metadata },
    target,
  });
const evict = (name: string, deleteOptions?: object, query = ''): ApiCall =>
  post(core('pods', name, `/eviction${query}`), {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...(deleteOptions && { deleteOptions }),
  });
const budget = (name: string, spec: object): ApiCall =>
  post(budgets(), { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec });
const count = (status: object): ApiCall => patch(`${budgets('some')}/status`, MERGE, { status });

const bindings: readonly ApiCall[] = [
  post(core('pods'), pod('bound')),
  { ...bind('bound'), path: core('pods', 'other', '/binding') },
  bind('bound', { target: { kind: 'Odd', name: '' } }),
  bind('bound', { metadata: { uid: 'another' } }),
  bind('bound', { query: '?dryRun=All' }),
  bind('bound', { metadata: { annotations: { n: '1' }, labels: { z: '1' } } }),
  get(core('pods', 'bound')),
  bind('bound'),
  bind('missing'),
  post(core('pods'), pod('gated', { schedulingGates: [{ name: 'g' }] })),
  bind('gated'),
];

const evictions: readonly ApiCall[] = [
  evict('missing'),
  evict('gated'),
  patch(core('pods', 'bound', '/status'), MERGE, {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }),
  budget('none', { minAvailable: 1 }),
  budget('some', { minAvailable: 1, selector: { matchLabels: { evicted: 'yes' } } }),
  evict('bound'),
  count({ observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }),
  evict('bound'),
  count({ currentHealthy: 2 }),
  evict('bound'),
  count({ disruptionsAllowed: 1 }),
  evict('bound', undefined, '?dryRun=All'),
  evict('bound', { preconditions: { uid: 'another' } }),
  get(budgets('some')),
  budget('every', { minAvailable: 1, selector: {} }),
  evict('bound'),
  del(budgets('every')),
  evict('bound'),
  get(core('pods', 'bound')),
  get(budgets('some')),
  bind('bound'),
  evict('bound', { gracePeriodSeconds: 0 }),
  get(core('pods', 'bound')),
  del(budgets()),
];

/** Pods that are put on nodes, and evicted within their budgets or not; in order. */
export const evictionScenario: readonly ApiCall[] = [...bindings, ...evictions];
