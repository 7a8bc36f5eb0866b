import type { RandomKind } from './random-kind.js';

const MODES = [['ReadWriteOnce'], ['ReadWriteOnce', 'ReadOnlyMany'], ['Odd'], []];

const claim: RandomKind = {
  title: 'PersistentVolumeClaim',
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.95, { accessModes: choose.pick(MODES) }),
      ...choose.maybe(0.95, {
        resources: choose.pick([{ requests: { storage: choose.pick(['1Gi', '2Gi', '0', '-1']) } }, {}]),
      }),
      ...choose.maybe(0.3, { storageClassName: choose.pick(['fast', '', 'Bad_Name']) }),
      ...choose.maybe(0.2, { volumeMode: choose.pick(['Block', 'Filesystem', 'Odd']) }),
      ...choose.maybe(0.1, { volumeName: 'v' }),
      ...choose.maybe(0.1, { selector: { matchLabels: { app: choose.pick(['a', 'bad value']) } } }),
    },
  }),
  change: (choose) =>
    choose.pick([
      { spec: { resources: { requests: { storage: choose.pick(['3Gi', '1Mi']) } } } },
      { spec: { storageClassName: 'slow' } },
      { spec: { volumeName: 'w' } },
    ]),
  operations: (choose) => [{ op: 'add', path: '/spec/volumeName', value: choose.pick(['x', 1]) }],
  status: (choose) => ({
    phase: choose.pick(['Pending', 'Bound']),
    ...choose.maybe(0.3, { capacity: { storage: '1Gi' } }),
  }),
};

const volume: RandomKind = {
  title: 'PersistentVolume',
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  isClusterScoped: true,
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.95, { accessModes: choose.pick(MODES) }),
      ...choose.maybe(0.95, { capacity: { storage: choose.pick(['1Gi', '0', '-1']) } }),
      ...choose.maybe(
        0.95,
        choose.pick([
          { hostPath: { path: choose.pick(['/a', '', '/a/../b']) } },
          { csi: { driver: 'd.example.com', volumeHandle: 'h' } },
        ]),
      ),
      ...choose.maybe(0.3, { persistentVolumeReclaimPolicy: choose.pick(['Delete', 'Retain', 'Odd']) }),
      ...choose.maybe(0.2, { storageClassName: choose.pick(['fast', 'Bad_Name']) }),
      ...choose.maybe(0.2, { volumeMode: choose.pick(['Block', 'Odd']) }),
    },
  }),
  change: (choose) =>
    choose.pick([
      { spec: { persistentVolumeReclaimPolicy: choose.pick(['Delete', 'Odd']) } },
      { spec: { hostPath: { path: '/z' } } },
    ]),
  operations: (choose) => [{ op: 'replace', path: '/spec/capacity/storage', value: choose.pick(['2Gi', 'x']) }],
  status: (choose) => ({ phase: choose.pick(['Available', 'Bound']) }),
};

const storageClass: RandomKind = {
  title: 'StorageClass',
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  isClusterScoped: true,
  body: (choose) => ({
    ...choose.maybe(0.95, { provisioner: choose.pick(['example.com/p', 'example.com/q', 'Bad_Name/']) }),
    ...choose.maybe(0.3, { parameters: { a: choose.pick(['1', '2']) } }),
    ...choose.maybe(0.3, { reclaimPolicy: choose.pick(['Delete', 'Retain', 'Odd']) }),
    ...choose.maybe(0.3, { volumeBindingMode: choose.pick(['Immediate', 'WaitForFirstConsumer', 'Odd']) }),
    ...choose.maybe(0.3, { allowVolumeExpansion: choose.pick([true, false]) }),
  }),
  change: (choose) =>
    choose.pick([{ allowVolumeExpansion: true }, { parameters: { a: '9' } }, { reclaimPolicy: 'Retain' }]),
  operations: (choose) => [{ op: 'add', path: '/allowVolumeExpansion', value: choose.pick([true, 'x']) }],
};

const priorityClass: RandomKind = {
  title: 'PriorityClass',
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  isClusterScoped: true,
  body: (choose) => ({
    ...choose.maybe(0.95, { value: choose.pick([1, 1000, -5, 2000000000]) }),
    ...choose.maybe(0.2, { preemptionPolicy: choose.pick(['Never', 'PreemptLowerPriority', 'Odd']) }),
    ...choose.maybe(0.2, { description: 'd' }),
  }),
  change: (choose) =>
    choose.pick([{ value: 7 }, { description: choose.pick(['e', null]) }, { preemptionPolicy: 'Never' }]),
  operations: (choose) => [{ op: 'replace', path: '/value', value: choose.pick([1, 'x']) }],
};

export const STORAGE_KINDS: readonly RandomKind[] = [claim, volume, storageClass, priorityClass];
