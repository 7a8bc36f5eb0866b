import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, items } from '../controllers/cluster-suite.js';

const STATEFUL = 'apps/v1/statefulsets';
const DAEMONS = 'apps/v1/daemonsets';

let suite: ClusterSuite;
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

const TEMPLATE = {
  metadata: { labels: { app: 'a' } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] },
};
const create = (resource: string, kind: string, spec: object): Promise<Json> =>
  suite.create(resource, kind, 'set', {
    spec: { selector: { matchLabels: { app: 'a' } }, template: TEMPLATE, ...spec },
  });
const newStatefulSet = (spec: object): Promise<Json> => create(STATEFUL, 'StatefulSet', spec);
const change = (resource: string, spec: object): Promise<Json> => suite.patch(suite.path(resource, 'set'), { spec });
const ofImage = (image: string, spec: object = {}): object => ({
  template: { spec: { containers: [{ name: 'c', image }], ...spec } },
});
const stuck = (image: string): object => ofImage(image, { nodeSelector: { no: 'where' } });
const statusOnce = (resource: string, counts: object): Promise<Json> => {
  const wanted = Object.entries(counts);
  return suite.once(
    suite.path(resource, 'set'),
    ({ metadata, status }) =>
      Number(status?.observedGeneration) === Number(metadata?.generation) &&
      wanted.every(([field, count]) => Number(status?.[field] ?? 0) === count),
  );
};
const images = async (): Promise<Record<string, string>> => {
  const { body } = await suite.get(suite.path('pods'));
  const pairs = items(body).map(({ metadata, spec }): [string, string] => {
    const [container] = spec!.containers as unknown as Json[];
    return [text(metadata!.name), text(container!.image)];
  });
  return Object.fromEntries(pairs);
};
const onePodOnly = (): Promise<void> => suite.requests.quota(suite.namespace, 'one', { hard: { pods: '1' } });

describe('a StatefulSet', () => {
  test('a StatefulSet waits for a replaced pod, in parallel mode too', async () => {
    await newStatefulSet({ replicas: 3, podManagementPolicy: 'Parallel' });
    await statusOnce(STATEFUL, { availableReplicas: 3 });
    await change(STATEFUL, stuck('j'));
    await statusOnce(STATEFUL, { replicas: 3, readyReplicas: 2, updatedReplicas: 1, currentReplicas: 2 });
    await change(STATEFUL, { replicas: 5 });
    await statusOnce(STATEFUL, { replicas: 5, readyReplicas: 2, updatedReplicas: 3 });
    expect(await images()).toEqual({ 'set-0': 'i', 'set-1': 'i', 'set-2': 'j', 'set-3': 'j', 'set-4': 'j' });
  });

  test('a StatefulSet with the strategy OnDelete keeps its current revision', async () => {
    await newStatefulSet({ replicas: 1, updateStrategy: { type: 'OnDelete' } });
    await statusOnce(STATEFUL, { availableReplicas: 1 });
    await change(STATEFUL, ofImage('j'));
    await suite.requests.send('DELETE', suite.path('pods', 'set-0'));
    const { status } = await statusOnce(STATEFUL, { availableReplicas: 1, updatedReplicas: 1, currentReplicas: 0 });
    expect(text(status!.currentRevision)).not.toBe(text(status!.updateRevision));
  });

  test('the partition of a StatefulSet counts from its first ordinal', async () => {
    await newStatefulSet({
      replicas: 3,
      ordinals: { start: 5 },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
    });
    await statusOnce(STATEFUL, { availableReplicas: 3 });
    await change(STATEFUL, ofImage('j'));
    await statusOnce(STATEFUL, { availableReplicas: 3, updatedReplicas: 1 });
    expect(await images()).toEqual({ 'set-5': 'i', 'set-6': 'i', 'set-7': 'j' });
  });

  test('an event of a StatefulSet reports why a pod cannot be created', async () => {
    await onePodOnly();
    await newStatefulSet({ replicas: 2 });
    await statusOnce(STATEFUL, { replicas: 1, availableReplicas: 1 });
    expect(await suite.messages('set', 'FailedCreate')).toEqual([
      'Create Pod set-1 in StatefulSet set failed error: pods "set-1" is forbidden: exceeded quota: one, ' +
        'requested: pods=1, used: pods=1, limited: pods=1',
    ]);
  });

  test('the server drops maxUnavailable of a StatefulSet', async () => {
    const { spec } = await newStatefulSet({ updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } });
    expect(spec!.updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
  });

  test('a StatefulSet has events about the claims it creates', async () => {
    const requests = { storage: '1Gi' };
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests } };
    await newStatefulSet({ replicas: 1, volumeClaimTemplates: [{ metadata: { name: 'v' }, spec }] });
    const told = await suite.messages('set', 'SuccessfulCreate', 2);
    expect(told).toContain('Create Claim v-set-0 Pod set-0 in StatefulSet set success');
  });
});

describe('a DaemonSet', () => {
  test('a DaemonSet waits until the replaced pod has been ready for minReadySeconds', async () => {
    await create(DAEMONS, 'DaemonSet', { minReadySeconds: 3 });
    await statusOnce(DAEMONS, { numberAvailable: 2 });
    await change(DAEMONS, ofImage('j'));
    await statusOnce(DAEMONS, { numberReady: 2, numberAvailable: 1, updatedNumberScheduled: 1 });
    await statusOnce(DAEMONS, { numberAvailable: 2, updatedNumberScheduled: 2 });
  });

  test('an event of a DaemonSet reports why a pod cannot be created', async () => {
    await onePodOnly();
    await create(DAEMONS, 'DaemonSet', {});
    await statusOnce(DAEMONS, { desiredNumberScheduled: 2, currentNumberScheduled: 1, numberUnavailable: 1 });
    const [told] = await suite.messages('set', 'FailedCreate');
    expect(told).toMatch(/^Error creating: pods "set-\w{5}" is forbidden: exceeded quota: one, /);
  });
});
