import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, items } from './cluster-suite.js';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

const CLAIM = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

const newSet = (policy: object): Promise<Json> =>
  suite.create('apps/v1/statefulsets', 'StatefulSet', 'set', {
    spec: {
      replicas: 2,
      podManagementPolicy: 'Parallel',
      persistentVolumeClaimRetentionPolicy: policy,
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 },
      },
      volumeClaimTemplates: [CLAIM],
    },
  });
const claim = (ordinal: number): string => suite.path('persistentvolumeclaims', `data-set-${ordinal}`);
const ownersOf = ({ metadata }: Json): unknown[] =>
  ((metadata?.ownerReferences ?? []) as unknown as Json[]).map(({ kind, name, controller }) => [
    kind,
    name,
    controller,
  ]);
const SET = ['StatefulSet', 'set', true];
const ownedBySet = (object: Json): boolean => JSON.stringify(ownersOf(object)) === JSON.stringify([SET]);

test('with the retention policy Delete, claims are deleted with the StatefulSet or its surplus pods', async () => {
  await newSet({ whenDeleted: 'Delete', whenScaled: 'Delete' });
  for (const ordinal of [0, 1]) await suite.once(claim(ordinal), ownedBySet);
  await suite.patch(suite.path('apps/v1/statefulsets', 'set'), { spec: { replicas: 1 } });
  await suite.gone(claim(1));
  expect(ownedBySet((await suite.get(claim(0))).body)).toBe(true);
  await suite.requests.send('DELETE', suite.path('apps/v1/statefulsets', 'set'));
  await suite.gone(claim(0));
});

test('with the retention policy changed to Retain, claims are kept', async () => {
  await newSet({ whenDeleted: 'Delete' });
  for (const ordinal of [0, 1]) await suite.once(claim(ordinal), ownedBySet);
  const set = suite.path('apps/v1/statefulsets', 'set');
  await suite.patch(set, { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain' } } });
  for (const ordinal of [0, 1]) await suite.once(claim(ordinal), (object) => ownersOf(object).length === 0);
  await suite.requests.send('DELETE', set);
  await suite.once(suite.path('pods'), (list) => items(list).length === 0);
  expect(items((await suite.get(suite.path('persistentvolumeclaims'))).body)).toHaveLength(2);
});
