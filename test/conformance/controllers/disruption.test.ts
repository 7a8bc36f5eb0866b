import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite } from './cluster-suite.js';

const LABELS = { app: 'a' };
const SELECTOR = { matchLabels: LABELS };
const POD = { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 };
const BUDGETS = 'policy/v1/poddisruptionbudgets';

let suite: ClusterSuite;

beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

const budget = (spec: object): Promise<Json> =>
  suite.create(BUDGETS, 'PodDisruptionBudget', 'b', { spec: { selector: SELECTOR, ...spec } });
const once = (path: string, isWanted: (object: Json) => boolean): Promise<Reply> =>
  suite.requests.until(
    () => suite.get(path),
    ({ body }) => isWanted(body),
  );
const budgetOnce = async (isWanted: (status: Json) => boolean): Promise<Json | undefined> =>
  (await once(suite.path(BUDGETS, 'b'), ({ status }) => status !== undefined && isWanted(status))).body.status;
const numberOf = (value: Json | undefined): number => Number(value ?? 0);
const isRunning = ({ status }: Json): boolean => text(status?.phase) === 'Running';

async function runningPod(metadata: object = {}): Promise<void> {
  await suite.create('pods', 'Pod', 'p', { spec: POD }, { labels: LABELS, ...metadata });
  await once(suite.path('pods', 'p'), isRunning);
}

test('a budget expects the number of pods of a Deployment from its replicas', async () => {
  await suite.create('apps/v1/deployments', 'Deployment', 'd', {
    spec: { replicas: 3, selector: SELECTOR, template: { metadata: { labels: LABELS }, spec: POD } },
  });
  await budget({ maxUnavailable: '50%' });

  const status = await budgetOnce(({ currentHealthy }) => numberOf(currentHealthy) === 3);
  expect([status?.expectedPods, status?.desiredHealthy, status?.disruptionsAllowed]).toEqual([3, 1, 2]);
});

test('a budget counts an evicted pod as disrupted until the pod is deleted', async () => {
  await runningPod();
  await budget({ minAvailable: 1 });
  await budgetOnce(({ currentHealthy }) => numberOf(currentHealthy) === 1);
  const disruptedPods = { p: new Date().toISOString().replace(/\.\d+/, '') };
  const path = `${suite.path(BUDGETS, 'b')}/status`;
  await suite.requests.must('PATCH', path, { status: { disruptedPods } }, 'application/merge-patch+json');

  const status = await budgetOnce(({ currentHealthy }) => numberOf(currentHealthy) === 0);
  expect(status?.disruptedPods).toEqual(disruptedPods);
  await suite.requests.must('DELETE', suite.path('pods', 'p'));
  expect(await budgetOnce(({ expectedPods }) => numberOf(expectedPods) === 0)).not.toHaveProperty('disruptedPods');
});

test('a budget of pods without a scalable controller fails and allows no eviction', async () => {
  const { metadata } = await suite.create('configmaps', 'ConfigMap', 'owner');
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: text(metadata?.uid), controller: true };
  await runningPod({ ownerReferences: [owner] });
  await budget({ maxUnavailable: 1 });

  const status = await budgetOnce(({ conditions }) => text(conditions?.[0]?.reason) === 'SyncFailed');
  expect([status?.disruptionsAllowed, status?.conditions?.[0]?.message]).toEqual([
    0,
    'configmaps does not implement the scale subresource',
  ]);
});

test('a budget with a percentage of unmanaged pods causes a warning event', async () => {
  await runningPod();
  await budget({ maxUnavailable: 1 });

  const query = encodeURIComponent('involvedObject.name=b,reason=UnmanagedPods');
  const { body } = await once(
    `${suite.path('events')}?fieldSelector=${query}`,
    ({ items }) => items?.[0] !== undefined,
  );
  expect(body.items?.[0]?.message).toMatchInlineSnapshot(
    `"Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: a,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value."`,
  );
  expect((await budgetOnce(({ observedGeneration }) => numberOf(observedGeneration) === 1))?.expectedPods).toBe(0);
});
