import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Json } from '../admission/admission-suite.js';
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
  test('waits until the claim is there', async () => {
    await newPod('p', 'missing');
    await unscheduled('p', '0/2 nodes are available: persistentvolumeclaim "missing" not found. not found');
  });

  test('waits until its claim is bound', async () => {
    await newClaim('c');
    await newPod('p', 'c');
    await unscheduled('p', '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found');
    await newVolume('v');
    await settle('v', 'c');
    await suite.once(suite.path('pods', 'p'), (pod) => phaseOf(pod) === 'Running');
  });

  test('has a claim that waits for it bound', async () => {
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

  test('goes where its volume can be reached', async () => {
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

  test('is told that there is no volume for a claim that waits for it', async () => {
    await newClass({ volumeBindingMode: 'WaitForFirstConsumer' });
    await newClaim('c');
    await newPod('p', 'c');
    await unscheduled(
      'p',
      "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
    );
  });

  test('has the provisioner asked for its node', async () => {
    await newClass({ volumeBindingMode: 'WaitForFirstConsumer', provisioner: 'example.com/absent' });
    await newClaim('c');
    await newPod('p', 'c');
    const isAsked = ({ metadata }: Json): boolean =>
      metadata?.annotations?.['volume.kubernetes.io/storage-provisioner'] !== undefined;
    const { metadata } = await suite.once(claimPath('c'), isAsked);
    expect(metadata!.annotations!['volume.kubernetes.io/selected-node']).toMatch(/^node-[12]$/);
  });

  test('of its own has it made, and deleted with it', async () => {
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
