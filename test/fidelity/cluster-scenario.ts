import type { ApiCall } from './api-endpoint.js';
import { del, get, MERGE, patch, post, put, TABLE } from './scenario-calls.js';

const attachments = (name = '', rest = ''): string =>
  `/apis/storage.k8s.io/v1/volumeattachments${name && `/${name}`}${rest}`;
const attachment = (spec: object, more: object = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name: 'attached' },
  spec,
  ...more,
});
const whole = { attacher: 'a.example.com', nodeName: 'one', source: { persistentVolumeName: 'v' } };
const csi = { driver: 'd.example.com', volumeHandle: 'h' };
const accessModes = ['ReadWriteOnce'];

const volumeAttachments: readonly ApiCall[] = [
  ...[
    {},
    { ...whole, attacher: 'Bad_Name', nodeName: 'Bad_Name', source: { persistentVolumeName: '' } },
    { ...whole, source: { persistentVolumeName: 'v', inlineVolumeSpec: { accessModes, csi } } },
    {
      ...whole,
      source: {
        inlineVolumeSpec: {
          capacity: { storage: '1Gi' },
          claimRef: { name: 'c' },
          hostPath: { path: '/a' },
          local: { path: '/b' },
          nodeAffinity: {},
          persistentVolumeReclaimPolicy: 'Delete',
          storageClassName: 'fast',
          volumeMode: 'Block',
          volumeAttributesClassName: '',
        },
      },
    },
    { ...whole, source: { inlineVolumeSpec: { accessModes, local: { path: '../b' } } } },
    {
      ...whole,
      source: { inlineVolumeSpec: { accessModes, csi: { ...csi, nodePublishSecretRef: { name: 'Bad_' } } } },
    },
  ].map((spec) => post(attachments(), attachment(spec))),
  post(attachments(), attachment(whole, { status: { attached: true } })),
  get(attachments(), TABLE),
  patch(attachments('attached'), MERGE, { spec: { nodeName: 'two', source: { inlineVolumeSpec: { csi } } } }),
  patch(attachments('attached', '/status'), MERGE, {
    metadata: { labels: { a: 'b' } },
    spec: { nodeName: 'two' },
    status: { attached: true, attachError: { message: 'x'.repeat(1025), errorCode: -1 } },
  }),
  patch(attachments('attached', '/status'), MERGE, {
    metadata: { labels: { a: 'b' } },
    spec: { nodeName: 'two' },
    status: { attached: true, attachmentMetadata: { a: 'b' } },
  }),
  put(attachments('attached'), attachment(whole)),
  del(attachments('attached')),
];

/** What is of no namespace, and asked for by parts of the cluster; in order. */
export const clusterScenario: readonly ApiCall[] = [...volumeAttachments];
