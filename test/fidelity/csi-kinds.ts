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

export const CSI_KINDS: readonly RandomKind[] = [driver, node, capacity, attributesClass];
