import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Json } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, phaseOf } from './cluster-suite.js';
import { volumeCalls } from './volume-calls.js';

let suite: ClusterSuite;
const { own, newVolume, newClaim, newClass, newPod, claimPath, claimOnce, volumeOnce, settle, unscheduled } =
  volumeCalls(() => suite);
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

describe('a pod with a claim', () => {
  test('a pod waits until its claim exists', async () => {
    await newPod('p', 'missing');
    await unscheduled('p', '0/2 nodes are available: persistentvolumeclaim "missing" not found. not found');
  });

  test('a pod waits until its claim is bound', async () => {
    await newClaim('c');
    await newPod('p', 'c');
    await unscheduled('p', '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found');
    await newVolume('v');
    await settle('v', 'c');
    await suite.once(suite.path('pods', 'p'), (pod) => phaseOf(pod) === 'Running');
  });

  test('a claim that waits for its first consumer is bound when a pod uses it', async () => {
    await newClass({ volumeBindingMode: 'WaitForFirstConsumer' });
    await newVolume('v');
    await volumeOnce('v', 'Available');
    await newClaim('c');
    expect(await suite.event('c', 'WaitForFirstConsumer')).toMatchObject({
      type: 'Normal',
      message: 'waiting for first consumer to be created before binding',
    });
    await newPod('p', 'c');
    await suite.once(suite.path('pods', 'p'), (pod) => phaseOf(pod) === 'Running');
    expect((await claimOnce('c', 'Bound')).spec!.volumeName).toBe(own('v'));
  });

  test('a pod is scheduled to a node that can reach its volume', async () => {
    await newClass({ volumeBindingMode: 'WaitForFirstConsumer' });
    const requirement = { key: 'kubernetes.io/hostname', operator: 'In', values: ['node-2'] };
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] } };
    await newVolume('v', { nodeAffinity });
    await volumeOnce('v', 'Available');
    for (const name of ['a', 'b']) {
      await newClaim(name === 'a' ? 'c' : 'unused');
      await newPod(name, 'c');
      const { spec } = await suite.once(suite.path('pods', name), (pod) => phaseOf(pod) === 'Running');
      expect(spec!.nodeName).toBe('node-2');
    }
  });

  test('a pod whose claim waits for its first consumer has an event that no volume is available', async () => {
    await newClass({ volumeBindingMode: 'WaitForFirstConsumer' });
    await newClaim('c');
    await newPod('p', 'c');
    await unscheduled(
      'p',
      "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
    );
  });

  test("the provisioner of a pod's claim gets the selected node", async () => {
    await newClass({ volumeBindingMode: 'WaitForFirstConsumer', provisioner: 'example.com/absent' });
    await newClaim('c');
    await newPod('p', 'c');
    const isAsked = ({ metadata }: Json): boolean =>
      metadata?.annotations?.['volume.kubernetes.io/storage-provisioner'] !== undefined;
    const { metadata } = await suite.once(claimPath('c'), isAsked);
    expect(metadata!.annotations!['volume.kubernetes.io/selected-node']).toMatch(/^node-[12]$/);
  });

  test('an ephemeral claim of a pod is created, and deleted with the pod', async () => {
    const template = {
      metadata: { labels: { of: 'pod' } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: suite.namespace,
        resources: { requests: { storage: '1Gi' } },
      },
    };
    await newVolume('v');
    const volumes = [{ name: 'data', ephemeral: { volumeClaimTemplate: template } }];
    await suite.create('pods', 'Pod', 'p', { spec: { containers: [{ name: 'c', image: 'i' }], volumes } });
    await suite.once(suite.path('pods', 'p'), (pod) => phaseOf(pod) === 'Running');
    const { metadata } = (await suite.get(claimPath('p-data'))).body;
    expect([metadata!.labels, metadata!.ownerReferences]).toMatchObject([
      { of: 'pod' },
      [{ apiVersion: 'v1', kind: 'Pod', name: 'p', controller: true, blockOwnerDeletion: true }],
    ]);
    await suite.requests.must('DELETE', suite.path('pods', 'p'));
    await suite.gone(claimPath('p-data'));
  });
});

test('a pod that fits no node has an event with the reasons', async () => {
  const spec = { containers: [{ name: 'c', image: 'i' }], nodeSelector: { no: 'node' } };
  await suite.create('pods', 'Pod', 'p', { spec });
  await unscheduled(
    'p',
    "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
  );
});
