import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Json } from '../../api-client.js';
import { ClusterTest, items, phaseOf, SELECTOR, TEMPLATE } from '../cluster-test.js';

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const VOLUMES = '/api/v1/persistentvolumes';
const template = (rest: object = {}): object => ({
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...rest },
});

let cluster: ClusterTest;
beforeEach(async () => {
  cluster = await ClusterTest.start();
});
afterEach(() => cluster.stop());

const newSet = (): Promise<string> =>
  cluster.create('apps/v1', 'statefulsets', {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      serviceName: 'db',
      replicas: 2,
      selector: SELECTOR,
      template: TEMPLATE,
      volumeClaimTemplates: [template()],
    },
  });
const listOnce = async (path: string, isWanted: (found: Json[]) => boolean): Promise<Json[]> =>
  items(await cluster.api.until(path, (reply) => isWanted(items(reply))));
const bound = (claims: Json[]): boolean => claims.every((claim) => phaseOf(claim) === 'Bound');

describe('the default storage class', () => {
  test('the default storage class provisions a volume for each pod of a StatefulSet', async () => {
    await cluster.statusOnce(await newSet(), ({ readyReplicas }) => readyReplicas === 2);
    const claims = await listOnce(CLAIMS, bound);
    expect(claims.map(({ spec }) => spec!.storageClassName)).toEqual(['standard', 'standard']);
    const volumes = await listOnce(VOLUMES, (found) => found.every((volume) => phaseOf(volume) === 'Bound'));
    expect(volumes.map(({ metadata }) => metadata!.name).sort()).toEqual(
      claims.map(({ metadata }) => `pvc-${String(metadata!.uid as unknown)}`).sort(),
    );
  });

  test('the default storage class provisions no volume before a pod uses it', async () => {
    await cluster.api.send('POST', CLAIMS, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...template() });
    const events = '/api/v1/namespaces/default/events?fieldSelector=reason=WaitForFirstConsumer';
    await listOnce(events, (found) => found.length === 1);
    expect(items(await cluster.api.send('GET', VOLUMES))).toEqual([]);
  });

  test('the volume of a deleted claim is deleted', async () => {
    const path = await newSet();
    await cluster.statusOnce(path, ({ readyReplicas }) => readyReplicas === 2);
    await cluster.api.send('DELETE', path);
    await cluster.podsOnce((pods) => pods.length === 0);
    await cluster.api.send('DELETE', `${CLAIMS}/data-db-0`);
    expect(await listOnce(VOLUMES, (found) => found.length === 1)).toHaveLength(1);
  });

  test('a claim of the default storage class can grow', async () => {
    await cluster.statusOnce(await newSet(), ({ readyReplicas }) => readyReplicas === 2);
    const path = `${CLAIMS}/data-db-0`;
    await cluster.api.patch(path, 'merge', { spec: { resources: { requests: { storage: '2Gi' } } } });
    const isGrown = ({ capacity }: { readonly capacity?: unknown }): boolean =>
      (capacity as { storage?: string } | undefined)?.storage === '2Gi';
    expect(await cluster.statusOnce(path, isGrown)).toMatchObject({ phase: 'Bound' });
  });
});
