import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';

const STORAGE = 'storage.k8s.io/v1';

const driver: RandomKind = {
  title: 'CSIDriver',
  apiVersion: STORAGE,
  kind: 'CSIDriver',
  plural: 'csidrivers',
  isClusterScoped: true,
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.3, { attachRequired: choose.pick([true, false]) }),
      ...choose.maybe(0.2, { fsGroupPolicy: choose.pick(['File', 'None', 'Odd']) }),
      ...choose.maybe(0.2, { volumeLifecycleModes: choose.pick([['Persistent', 'Ephemeral'], ['Odd'], []]) }),
      ...choose.maybe(0.3, {
        tokenRequests: choose.pick([
          [{ audience: 'a', expirationSeconds: choose.pick([600, 10]) }],
          [{ audience: 'a' }, { audience: 'a' }],
          [],
        ]),
      }),
      ...choose.maybe(0.1, { serviceAccountTokenInSecrets: true }),
      ...choose.maybe(0.1, { nodeAllocatableUpdatePeriodSeconds: choose.pick([10, 5]) }),
    },
  }),
  change: (choose) =>
    choose.pick([{ spec: { attachRequired: false } }, { spec: { tokenRequests: [{ audience: 'b' }] } }]),
  operations: (choose) => [{ op: 'add', path: '/spec/podInfoOnMount', value: choose.pick([true, 'x']) }],
};

function nodeDriver(choose: Chooser): object {
  return {
    ...choose.maybe(0.97, { name: choose.pick(['a.example.com', 'b.example.com', 'Bad_Name']) }),
    ...choose.maybe(0.97, { nodeID: choose.pick(['n', 'm']) }),
    ...choose.maybe(0.3, { topologyKeys: choose.pick([['zone'], ['zone', 'zone'], ['bad key'], ['']]) }),
    ...choose.maybe(0.3, { allocatable: { count: choose.pick([1, -1]) } }),
  };
}

const node: RandomKind = {
  title: 'CSINode',
  apiVersion: STORAGE,
  kind: 'CSINode',
  plural: 'csinodes',
  isClusterScoped: true,
  body: (choose) => ({
    spec: { drivers: choose.pick([[nodeDriver(choose)], [nodeDriver(choose), nodeDriver(choose)], []]) },
  }),
  change: (choose) => ({ spec: { drivers: [nodeDriver(choose)] } }),
  operations: () => [{ op: 'remove', path: '/spec/drivers/0' }],
};

const capacity: RandomKind = {
  title: 'CSIStorageCapacity',
  apiVersion: STORAGE,
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  body: (choose) => ({
    ...choose.maybe(0.9, { storageClassName: choose.pick(['fast', 'slow', 'Bad_Name']) }),
    ...choose.maybe(0.5, { capacity: choose.pick(['1Gi', '-1', 'x']) }),
    ...choose.maybe(0.4, { nodeTopology: { matchLabels: { zone: choose.pick(['a', 'bad value']) } } }),
  }),
  change: (choose) => choose.pick([{ capacity: '2Gi' }, { storageClassName: 'other' }, { nodeTopology: null }]),
  operations: (choose) => [{ op: 'add', path: '/capacity', value: choose.pick(['3Gi', true]) }],
};

const attributesClass: RandomKind = {
  title: 'VolumeAttributesClass',
  apiVersion: STORAGE,
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  isClusterScoped: true,
  body: (choose) => ({
    ...choose.maybe(0.95, { driverName: choose.pick(['a.example.com', 'b.example.com', 'Bad_Name/']) }),
    ...choose.maybe(0.9, { parameters: choose.pick([{ a: '1' }, { a: '2' }, {}, { '': 'x' }]) }),
  }),
  change: (choose) => choose.pick([{ driverName: 'c.example.com' }, { parameters: { a: '9' } }]),
  operations: (choose) => [{ op: 'add', path: '/parameters/a', value: choose.pick(['1', 2]) }],
};

function attachmentSource(choose: Chooser): object {
  return {
    ...choose.maybe(0.8, { persistentVolumeName: choose.pick(['v', 'w', '', 'Bad_Name']) }),
    ...choose.maybe(0.3, { inlineVolumeSpec: inlineVolume(choose) }),
  };
}

function inlineVolume(choose: Chooser): object {
  return {
    ...choose.maybe(0.9, {
      accessModes: choose.pick([['ReadWriteOnce'], ['Odd'], ['ReadWriteOncePod', 'ReadOnlyMany']]),
    }),
    ...choose.maybe(0.9, { csi: inlineSource(choose) }),
    ...choose.maybe(0.1, { hostPath: { path: '/a' } }),
    ...choose.maybe(0.1, { local: { path: choose.pick(['/a', '', '../a']) } }),
    ...choose.maybe(0.1, { capacity: { storage: '1Gi' } }),
    ...choose.maybe(0.1, { claimRef: { name: 'c' } }),
    ...choose.maybe(0.2, { persistentVolumeReclaimPolicy: choose.pick(['Retain', 'Delete', '']) }),
    ...choose.maybe(0.1, { nodeAffinity: {} }),
    ...choose.maybe(0.1, { storageClassName: 'fast' }),
    ...choose.maybe(0.2, { volumeMode: choose.pick(['Filesystem', 'Block']) }),
    ...choose.maybe(0.1, { volumeAttributesClassName: choose.pick(['a', '', 'Bad_']) }),
  };
}

function inlineSource(choose: Chooser): object {
  return {
    ...choose.maybe(0.95, { driver: choose.pick(['d.example.com', 'Bad_Name']) }),
    ...choose.maybe(0.95, { volumeHandle: choose.pick(['h', '']) }),
    ...choose.maybe(0.2, { nodePublishSecretRef: choose.pick([{ name: 's', namespace: 'n' }, { name: 'Bad_' }]) }),
  };
}

function volumeError(choose: Chooser): object {
  return {
    ...choose.maybe(0.5, { message: choose.pick(['m', 'x'.repeat(1025)]) }),
    ...choose.maybe(0.5, { errorCode: choose.pick([1, -1]) }),
    ...choose.maybe(0.5, { time: choose.pick(['2026-01-01T00:00:00Z', 'never']) }),
  };
}

const attachment: RandomKind = {
  title: 'VolumeAttachment',
  apiVersion: STORAGE,
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  isClusterScoped: true,
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.97, { attacher: choose.pick(['a.example.com', 'a.example.com', 'Bad_Name']) }),
      ...choose.maybe(0.97, { nodeName: choose.pick(['one', 'one', 'Bad_Name']) }),
      source: attachmentSource(choose),
    },
  }),
  change: (choose) =>
    choose.pick<object>([
      { spec: { nodeName: 'two' } },
      { spec: { source: attachmentSource(choose) } },
      { status: { attached: true } },
    ]),
  operations: (choose) => [
    { op: choose.pick(['add', 'test']), path: '/spec/nodeName', value: choose.pick(['one', 1]) },
  ],
  status: (choose) => ({
    ...choose.maybe(0.8, { attached: choose.pick([true, false]) }),
    ...choose.maybe(0.3, { attachmentMetadata: choose.pick([{ a: 'b' }, { a: '' }, {}]) }),
    ...choose.maybe(0.3, { attachError: volumeError(choose) }),
    ...choose.maybe(0.3, { detachError: volumeError(choose) }),
  }),
};

export const CSI_KINDS: readonly RandomKind[] = [driver, node, capacity, attributesClass, attachment];
