import type { Chooser } from './chooser.js';

import { fieldRef, resourceFieldRef } from './field-references.js';

type Part = (choose: Chooser) => object;

const items = (choose: Chooser): object =>
  choose.maybe(0.4, {
    items: [
      {
        key: choose.pick(['k', '']),
        path: choose.pick(['p', '/p', '..p', '']),
        ...choose.maybe(0.2, { mode: choose.pick([0o777, 1000]) }),
      },
    ],
  });
const downward = (choose: Chooser): object => ({
  path: choose.pick(['p', '..', '']),
  ...choose.pick<object>([{ fieldRef: fieldRef(choose) }, { resourceFieldRef: resourceFieldRef(choose) }, {}]),
});

const source = (choose: Chooser): object =>
  choose.pick<Part>([
    () => ({ emptyDir: choose.pick([{}, { medium: 'Memory', sizeLimit: choose.pick(['1Gi', '-1']) }]) }),
    () => ({
      hostPath: {
        path: choose.pick(['/a', '', '/../a']),
        ...choose.maybe(0.4, { type: choose.pick(['', 'File', 'Odd']) }),
      },
    }),
    () => ({ gitRepo: { repository: choose.pick(['a', '']), directory: choose.pick(['a', '/a']) } }),
    () => ({ gcePersistentDisk: { pdName: choose.pick(['a', '']), partition: choose.pick([1, 256]) } }),
    () => ({ awsElasticBlockStore: { volumeID: choose.pick(['a', '']), partition: choose.pick([0, -1]) } }),
    () => ({
      secret: {
        ...choose.maybe(0.8, { secretName: 's' }),
        ...items(choose),
        ...choose.maybe(0.3, { defaultMode: choose.pick([0o400, 1000]) }),
      },
    }),
    () => ({ configMap: { ...choose.maybe(0.8, { name: 's' }), ...items(choose) } }),
    () => ({ nfs: { server: choose.pick(['a', '']), path: choose.pick(['/', 'a', '']) } }),
    () => ({
      iscsi: {
        targetPortal: choose.pick(['a', '']),
        iqn: choose.pick(['iqn.2001-04.com.example:a', 'eui.x', 'a', '']),
        lun: choose.pick([0, 256]),
        ...choose.maybe(0.3, { chapAuthSession: true }),
      },
    }),
    () => ({ glusterfs: { endpoints: 'a', path: choose.pick(['a', '']) } }),
    () => ({ flocker: choose.pick([{ datasetName: 'a' }, {}, { datasetName: 'a/b', datasetUUID: 'u' }]) }),
    () => ({ persistentVolumeClaim: { claimName: choose.pick(['a', '']) } }),
    () => ({ rbd: { monitors: choose.pick([['a'], []]), image: choose.pick(['a', '']) } }),
    () => ({ cinder: { volumeID: choose.pick(['a', '']), secretRef: choose.pick([{}, { name: 'a' }]) } }),
    () => ({ cephfs: { monitors: choose.pick([['a'], []]) } }),
    () => ({ quobyte: { registry: choose.pick(['a:1', 'a', '']), volume: choose.pick(['v', '']) } }),
    () => ({ downwardAPI: { items: [downward(choose)], ...choose.maybe(0.2, { defaultMode: 1000 }) } }),
    () => ({
      fc: {
        targetWWNs: choose.pick([['a'], []]),
        ...choose.maybe(0.5, { lun: choose.pick([1, 256]) }),
        ...choose.maybe(0.3, { wwids: ['b'] }),
      },
    }),
    () => ({
      flexVolume: { driver: choose.pick(['a/b', '']), options: choose.pick([{}, { 'a.kubernetes.io/x': '1' }]) },
    }),
    () => ({ azureFile: { secretName: choose.pick(['a', '']), shareName: 'b' } }),
    () => ({ vsphereVolume: { volumePath: choose.pick(['a', '']) } }),
    () => ({ photonPersistentDisk: { pdID: choose.pick(['a', '']) } }),
    () => ({ portworxVolume: { volumeID: choose.pick(['a', '']) } }),
    () => ({
      azureDisk: {
        diskName: choose.pick(['a', '']),
        diskURI: choose.pick(['a', 'https://a', '/subscriptions/a', '']),
        ...choose.maybe(0.5, { kind: choose.pick(['Managed', 'Shared', 'Odd']) }),
        ...choose.maybe(0.3, { cachingMode: choose.pick(['None', 'Odd']) }),
      },
    }),
    () => ({ storageos: { volumeName: choose.pick(['a', 'A_', '']), secretRef: choose.pick([{}, { name: 'a' }]) } }),
    () => ({
      projected: {
        sources: [
          choose.pick<object>([
            { secret: { name: choose.pick(['a', '']), ...items(choose) } },
            { configMap: { name: 'a', ...items(choose) } },
            {},
          ]),
          choose.pick<object>([
            { downwardAPI: { items: [downward(choose)] } },
            { serviceAccountToken: { path: choose.pick(['p', '', '/p']), expirationSeconds: choose.pick([3600, 1]) } },
          ]),
        ],
      },
    }),
    () => ({ scaleIO: { gateway: 'g', system: choose.pick(['s', '']), volumeName: 'v', secretRef: { name: 'a' } } }),
    () => ({ csi: { driver: choose.pick(['a.b', 'A_', '']), nodePublishSecretRef: choose.pick([{}, { name: 'a' }]) } }),
    () => ({
      ephemeral: choose.pick<object>([
        {},
        {
          volumeClaimTemplate: {
            ...choose.maybe(0.3, {
              metadata: choose.pick([{ labels: { x: 'y' } }, { labels: { 'a b': '' } }, { name: 'n' }]),
            }),
            spec: {
              accessModes: choose.pick([['ReadWriteOnce'], ['Odd'], []]),
              resources: { requests: choose.pick([{ storage: '1Gi' }, {}]) },
            },
          },
        },
      ]),
    }),
    () => ({
      image: {
        ...choose.maybe(0.8, { reference: choose.pick(['a', 'a:1']) }),
        ...choose.maybe(0.3, { pullPolicy: choose.pick(['Never', 'Odd']) }),
      },
    }),
    () => ({ emptyDir: {}, secret: { secretName: 'a' } }),
  ])(choose);

/** A volume of some kind. */
export const volumes: Part = (choose) => ({
  volumes: [{ name: choose.pick(['v', 'v', 'v', 'V']), ...source(choose) }],
});
