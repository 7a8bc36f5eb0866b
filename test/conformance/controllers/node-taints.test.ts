import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Json, Reply } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, phaseOf } from './cluster-suite.js';

const NODE = '/api/v1/nodes/node-2';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());
afterEach(() => suite.patch(NODE, { spec: { taints: null, unschedulable: null } }));

const taintsOf = ({ spec }: Json): unknown[] =>
  ((spec?.taints ?? []) as unknown as Json[]).map(({ key, effect }) => [key, effect]);
const newPod = (name: string, spec: object = {}): Promise<Json> =>
  suite.create('pods', 'Pod', name, { spec: { containers: [{ name: 'c', image: 'i' }], nodeName: 'node-2', ...spec } });
const running = (name: string): Promise<Json> =>
  suite.once(suite.path('pods', name), (pod) => phaseOf(pod) === 'Running');

test('a node is tainted as long as it is cordoned', async () => {
  await suite.patch(NODE, { spec: { unschedulable: true } });
  const node = await suite.once(NODE, (found) => taintsOf(found).length > 0);
  expect(node.spec!.taints).toEqual([
    { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: expect.any(String) },
  ]);
  await suite.patch(NODE, { spec: { unschedulable: null } });
  await suite.once(NODE, (found) => taintsOf(found).length === 0);
});

test('a node is tainted by its conditions', async () => {
  const conditions = [{ type: 'DiskPressure', status: 'True', reason: 'r', message: 'm' }];
  const type = 'application/strategic-merge-patch+json';
  // Repeatedly, because a heartbeat of the node reverts it.
  const report = async (): Promise<Reply> => {
    await suite.requests.must('PATCH', `${NODE}/status`, { status: { conditions } }, type);
    return suite.get(NODE);
  };
  const { body: tainted } = await suite.requests.until(report, ({ body }) => taintsOf(body).length > 0);
  expect(taintsOf(tainted)).toEqual([['node.kubernetes.io/disk-pressure', 'NoSchedule']]);
  const over = [{ type: 'DiskPressure', status: 'False' }];
  await suite.requests.must('PATCH', `${NODE}/status`, { status: { conditions: over } }, type);
  await suite.once(NODE, (found) => taintsOf(found).length === 0);
});

test("pods without a toleration of their node's taint are evicted, others after their tolerationSeconds", async () => {
  const tolerations = [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }];
  await newPod('none');
  await newPod('briefly', { tolerations: [{ ...tolerations[0], tolerationSeconds: 1 }] });
  await newPod('ever', { tolerations });
  for (const name of ['none', 'briefly', 'ever']) await running(name);
  await suite.patch(NODE, { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } });
  await suite.gone(suite.path('pods', 'none'));
  expect(await suite.event('none', 'TaintManagerEviction')).toMatchObject({
    type: 'Normal',
    source: { component: 'taint-eviction-controller' },
    message: `Marking for deletion Pod ${suite.namespace}/none`,
  });
  await suite.gone(suite.path('pods', 'briefly'));
  expect(phaseOf((await suite.get(suite.path('pods', 'ever'))).body)).toBe('Running');
});
