import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { text } from '../../api-client.js';
import { ClusterTest, items, nameOf, SELECTOR, TEMPLATE } from '../cluster-test.js';

let cluster: ClusterTest;
beforeEach(async () => {
  cluster = await ClusterTest.start();
});
afterEach(() => cluster.stop());

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

async function newSet(spec: object = {}): Promise<string> {
  return cluster.create('apps/v1', 'statefulsets', {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: { serviceName: 'db', replicas: 3, selector: SELECTOR, template: TEMPLATE, ...spec },
  });
}

const ready = (count: number) => (status: Readonly<Record<string, unknown>>) =>
  status.readyReplicas === count && status.replicas === count;

describe('a StatefulSet', () => {
  test('a StatefulSet creates numbered pods in their order', async () => {
    await cluster.statusOnce(await newSet(), ready(3));
    const pods = await cluster.pods();
    const byAge = pods.sort(
      (a, b) => Number(text(a.metadata!.resourceVersion)) - Number(text(b.metadata!.resourceVersion)),
    );
    expect(byAge.map(nameOf)).toEqual(['db-0', 'db-1', 'db-2']);
  });

  test('a StatefulSet creates no pod before the previous one is ready', async () => {
    await cluster.stop();
    cluster = await ClusterTest.start({ planPod: () => ({ waitingReason: 'ImagePullBackOff' }) });
    await cluster.statusOnce(await newSet(), ({ replicas }) => replicas === 1);
    expect((await cluster.pods()).map(nameOf)).toEqual(['db-0']);
  });

  test('a StatefulSet with podManagementPolicy Parallel creates all pods at the same time', async () => {
    await cluster.stop();
    cluster = await ClusterTest.start({ planPod: () => ({ waitingReason: 'ImagePullBackOff' }) });
    const status = await cluster.statusOnce(
      await newSet({ podManagementPolicy: 'Parallel' }),
      ({ replicas }) => replicas === 3,
    );
    expect(status.readyReplicas).toBeUndefined();
  });

  test('a StatefulSet creates a claim for each pod, which is kept when the pod is deleted', async () => {
    const path = await newSet({ volumeClaimTemplates: [claim] });
    await cluster.statusOnce(path, ready(3));
    await cluster.api.patch(path, 'merge', { spec: { replicas: 1 } });
    await cluster.statusOnce(path, ready(1));
    const claims = items(await cluster.api.send('GET', '/api/v1/namespaces/default/persistentvolumeclaims'));
    expect(claims.map(nameOf)).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
  });

  test('a StatefulSet removes its highest pods first', async () => {
    const path = await newSet();
    await cluster.statusOnce(path, ready(3));
    await cluster.api.patch(`${path}/scale`, 'merge', { spec: { replicas: 1 } });
    expect((await cluster.podsOnce((pods) => pods.length === 1)).map(nameOf)).toEqual(['db-0']);
  });

  test('a StatefulSet replaces its pods when the template changes', async () => {
    const path = await newSet();
    const before = await cluster.statusOnce(path, ready(3));
    await cluster.api.patch(path, 'strategic-merge', {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'j' }] } } },
    });
    const after = await cluster.statusOnce(
      path,
      ({ updatedReplicas, currentRevision, updateRevision }) =>
        updatedReplicas === 3 && currentRevision === updateRevision && currentRevision !== text(before.currentRevision),
    );
    expect(after.currentReplicas).toBe(3);
  });

  test('a StatefulSet does not change the pods below the partition', async () => {
    const path = await newSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
    await cluster.statusOnce(path, ready(3));
    await cluster.api.patch(path, 'strategic-merge', {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'j' }] } } },
    });
    await cluster.statusOnce(path, (status) => ready(3)(status) && status.updatedReplicas === 1);
    const images = (await cluster.pods()).map(
      (pod) => (pod.spec!.containers as unknown as { image: string }[])[0]!.image,
    );
    expect(images).toEqual(['i', 'i', 'j']);
  });
});
