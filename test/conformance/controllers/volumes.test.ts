import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { text } from '../../e2e/admission/admission-suite.js';
import { ClusterSuite, phaseOf } from './cluster-suite.js';
import { CLASSES, volumeCalls } from './volume-calls.js';

let suite: ClusterSuite;
const { own, newVolume, newClaim, newClass, claimPath, volumePath, claimOnce, volumeOnce, touch, settle } = volumeCalls(
  () => suite,
);
beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(() => suite.begin());

describe('a claim', () => {
  test('a claim is bound to a volume of its class, and its status contains the capacity', async () => {
    await newVolume('v', { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] });
    const { metadata } = await newClaim('c');
    const claim = await claimOnce('c', 'Bound');
    expect(claim.status).toEqual({
      phase: 'Bound',
      accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
      capacity: { storage: '2Gi' },
    });
    expect([claim.spec!.volumeName, claim.metadata!.annotations]).toEqual([
      own('v'),
      { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' },
    ]);
    const volume = await volumeOnce('v', 'Bound');
    expect(volume.spec!.claimRef).toMatchObject({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      name: 'c',
      namespace: suite.namespace,
      uid: metadata!.uid,
    });
    expect(volume.metadata!.annotations).toEqual({ 'pv.kubernetes.io/bound-by-controller': 'yes' });
  });

  test('a claim is bound to the smallest volume that is large enough', async () => {
    for (const size of [8, 2, 4, 1]) await newVolume(`v${size}`, { capacity: { storage: `${size}Gi` } });
    for (const size of [8, 2, 4, 1]) await volumeOnce(`v${size}`, 'Available');
    await newClaim('c', { resources: { requests: { storage: '1500Mi' } } });
    expect((await claimOnce('c', 'Bound')).spec!.volumeName).toBe(own('v2'));
  });

  test.each<[string, object, object, object]>([
    ['access mode', { accessModes: ['ReadOnlyMany'] }, {}, {}],
    ['volume mode', { volumeMode: 'Block' }, {}, {}],
    ['class', { storageClassName: 'other' }, {}, {}],
    ['size', { capacity: { storage: '500Mi' } }, {}, {}],
    ['label', {}, { labels: { tier: 'slow' } }, { selector: { matchLabels: { tier: 'fast' } } }],
  ])('a claim is not bound to a volume of another %s', async (_what, unfit, metadata, wish) => {
    await newVolume('unfit', unfit, metadata);
    await volumeOnce('unfit', 'Available');
    await newClaim('c', wish);
    await newVolume('fit', {}, { labels: { tier: 'fast' } });
    await settle('fit', 'c');
    expect((await claimOnce('c', 'Bound')).spec!.volumeName).toBe(own('fit'));
    await volumeOnce('unfit', 'Available');
  });

  test('a claim with volumeName is bound to that volume once it exists', async () => {
    await newVolume('other');
    await newClaim('c', { volumeName: own('wanted') });
    await newVolume('wanted');
    await settle('wanted', 'c');
    const claim = await claimOnce('c', 'Bound');
    expect([claim.spec!.volumeName, claim.metadata!.annotations]).toEqual([
      own('wanted'),
      { 'pv.kubernetes.io/bind-completed': 'yes' },
    ]);
  });

  test('a claim has an event with the reason why its volume cannot be bound', async () => {
    await newVolume('small', { capacity: { storage: '1Mi' } });
    await newClaim('c', { volumeName: own('small') });
    expect(await suite.event('c', 'VolumeMismatch')).toMatchObject({
      type: 'Warning',
      message: `Cannot bind to requested volume "${own('small')}": requested PV is too small`,
    });
    await newVolume('v');
    await newClaim('first', { volumeName: own('v') });
    await claimOnce('first', 'Bound');
    await newClaim('second', { volumeName: own('v') });
    expect(await suite.event('second', 'FailedBinding')).toMatchObject({
      type: 'Warning',
      message: `volume "${own('v')}" already bound to a different claim.`,
    });
    expect(phaseOf((await suite.get(claimPath('second'))).body)).toBe('Pending');
  });

  test('a claim is bound to the volume that is reserved for it, even if others match', async () => {
    await newVolume('other');
    await volumeOnce('other', 'Available');
    await newVolume('reserved', { claimRef: { name: 'c', namespace: suite.namespace } });
    await volumeOnce('reserved', 'Available');
    await newClaim('c');
    expect((await claimOnce('c', 'Bound')).spec!.volumeName).toBe(own('reserved'));
    const { metadata, spec } = await volumeOnce('reserved', 'Bound');
    expect([metadata!.annotations, spec!.claimRef!.uid]).toEqual([undefined, expect.any(String)]);
  });

  test('a claim without a class has an event that no volume will be provisioned', async () => {
    await newClaim('c', { storageClassName: '' });
    expect(await suite.event('c', 'FailedBinding')).toMatchObject({
      type: 'Normal',
      message: 'no persistent volumes available for this claim and no storage class is set',
      source: { component: 'persistentvolume-controller' },
    });
  });

  test('a claim of a missing class has an event that names it', async () => {
    await newClaim('c');
    expect(await suite.event('c', 'ProvisioningFailed')).toMatchObject({
      type: 'Warning',
      message: `storageclass.storage.k8s.io "${suite.namespace}" not found`,
    });
  });

  test('a claim of a class without a provisioner has an event about it', async () => {
    await newClass({});
    await newClaim('c');
    expect(await suite.event('c', 'ProvisioningFailed')).toMatchObject({
      type: 'Warning',
      message: 'no volume plugin matched name: kubernetes.io/no-provisioner',
    });
  });

  test('a claim of an external provisioner is annotated for it', async () => {
    await newClass({ provisioner: 'example.com/absent' });
    await newClaim('c');
    expect(await suite.event('c', 'ExternalProvisioning')).toMatchObject({
      type: 'Normal',
      message:
        "Waiting for a volume to be created either by the external provisioner 'example.com/absent' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
    });
    const { metadata, status } = (await suite.get(claimPath('c'))).body;
    expect([metadata!.annotations, status]).toEqual([
      {
        'volume.beta.kubernetes.io/storage-provisioner': 'example.com/absent',
        'volume.kubernetes.io/storage-provisioner': 'example.com/absent',
      },
      { phase: 'Pending' },
    ]);
  });

  test('a claim without a class gets the default class as soon as one exists', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await suite.create('persistentvolumeclaims', 'PersistentVolumeClaim', 'c', { spec });
    await suite.event('c', 'FailedBinding');
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await suite.createGlobal(
      CLASSES,
      'StorageClass',
      suite.namespace,
      { provisioner: 'example.com/x' },
      { annotations },
    );
    await touch('c');
    await suite.once(claimPath('c'), ({ spec: now }) => text(now!.storageClassName) === suite.namespace);
  });

  test('a claim is Lost when its volume is deleted', async () => {
    await newVolume('v');
    await newClaim('c');
    await claimOnce('c', 'Bound');
    await suite.requests.must('DELETE', volumePath('v'));
    await suite.patch(volumePath('v'), { metadata: { finalizers: null } });
    expect((await claimOnce('c', 'Lost')).status).toEqual({ phase: 'Lost' });
    expect(await suite.event('c', 'ClaimLost')).toMatchObject({
      type: 'Warning',
      message: 'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    });
  });
});

describe('a volume', () => {
  const claimed = async (spec: object): Promise<void> => {
    await newVolume('v', spec);
    await newClaim('c');
    await claimOnce('c', 'Bound');
    await suite.requests.must('DELETE', claimPath('c'));
    await suite.gone(claimPath('c'));
  };

  test('a retained volume is Released, and not bound again before its claimRef is removed', async () => {
    await claimed({});
    const { spec } = await volumeOnce('v', 'Released');
    expect(spec!.claimRef!.name).toBe('c');
    await newClaim('next');
    await suite.event('next', 'ProvisioningFailed');
    await suite.patch(volumePath('v'), { spec: { claimRef: null } });
    await settle('v', 'next');
    await claimOnce('next', 'Bound');
  });

  test('a volume that should be deleted but cannot be is Failed', async () => {
    await claimed({ persistentVolumeReclaimPolicy: 'Delete' });
    const { status } = await volumeOnce('v', 'Failed');
    const message = 'host_path deleter only supports /tmp/.+ but received provided /somewhere';
    expect(status!.message).toBe(message);
    expect(await suite.event(own('v'), 'VolumeFailedDelete', 'default')).toMatchObject({ type: 'Warning', message });
  });

  test('a volume of a CSI driver is deleted by the driver', async () => {
    await claimed({
      persistentVolumeReclaimPolicy: 'Delete',
      hostPath: undefined,
      csi: { driver: 'example.com', volumeHandle: 'h' },
    });
    await volumeOnce('v', 'Released');
  });

  test('a volume is kept while it is bound, and deleted after its claim', async () => {
    await newVolume('v');
    await newClaim('c');
    await claimOnce('c', 'Bound');
    const { metadata } = await suite.requests.must('DELETE', volumePath('v'));
    expect(metadata!.finalizers).toEqual(['kubernetes.io/pv-protection']);
    await suite.requests.must('DELETE', claimPath('c'));
    await suite.gone(volumePath('v'));
  });
});
