import { afterEach, expect, test } from '@jest/globals';
import { FakeClock } from '../../../../src/base/fake-clock.js';
import { ClusterTest, phaseOf } from '../cluster-test.js';

const NODE = '/api/v1/nodes/node-1';
const TAINT = { key: 'k', effect: 'NoExecute' };

let cluster: ClusterTest;
afterEach(() => cluster.stop());

async function taint(taints: readonly object[]): Promise<void> {
  expect((await cluster.api.patch(NODE, 'merge', { spec: { taints } })).code).toBe(200);
}

test('the tolerationSeconds of an old pod count from the time of the taint', async () => {
  const clock = new FakeClock();
  cluster = await ClusterTest.start({ clock, nodes: 1 });
  await cluster.create('v1', 'pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }],
    },
  });
  await cluster.podsOnce(([pod]) => phaseOf(pod!) === 'Running');
  await clock.advance(3_600_000);
  await taint([TAINT]);
  await clock.advance(59_000);
  expect((await cluster.pods())[0]!.metadata!.deletionTimestamp).toBeUndefined();
  await taint([]);
  await clock.advance(3_600_000);
  await taint([TAINT]);
  await clock.advance(59_000);
  expect((await cluster.pods())[0]!.metadata!.deletionTimestamp).toBeUndefined();
  await clock.advance(1_000);
  await cluster.podsOnce(([pod]) => pod?.metadata?.deletionTimestamp !== undefined);
});
