import type { ApiCall } from './api-endpoint.js';
import { del, get, group, MERGE, patch, post, put, TABLE } from './scenario-calls.js';

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

const ranges = (name = '', rest = ''): string => `/apis/networking.k8s.io/v1/servicecidrs${name && `/${name}`}${rest}`;
const range = (cidrs: unknown, more: object = {}) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata: { name: 'ranged', ...more },
  spec: { cidrs },
});
const addresses = (name = ''): string => `/apis/networking.k8s.io/v1/ipaddresses${name && `/${name}`}`;
const address = (name: string, parentRef?: object) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: { name },
  spec: { ...(parentRef && { parentRef }) },
});
const pod = { resource: 'pods', namespace: 'default', name: 'p' };

const serviceRanges: readonly ApiCall[] = [
  get(ranges()),
  ...[
    undefined,
    ['192.168.7.1/24', '2001:DB8::/64'],
    ['::ffff:192.168.8.0/120', '192.168.7.0/24'],
    ['192.168.7.0/24', '192.168.9.0/33'],
    ['192.168.7.0/24', '192.168.8.0/24', '2001:db8::/64'],
    ['192.168.7.0/24'],
  ].map((cidrs) => post(ranges(), range(cidrs))),
  ...[[], null, ['192.168.8.0/24'], ['192.168.8.0/24', '192.168.9.0/24']].map((cidrs) =>
    patch(ranges('ranged'), MERGE, { spec: { cidrs } }),
  ),
  patch(ranges('ranged', '/status'), MERGE, { metadata: { labels: { a: 'b' } }, spec: { cidrs: [] } }),
  del(ranges('ranged')),
  post(addresses(), address('192.168.07.1')),
  post(addresses(), address('2001:DB8::1', { ...pod, name: 'a/b', resource: '' })),
  post(addresses(), address('192.168.7.1', pod)),
  get(addresses('192.168.7.1'), TABLE),
  patch(addresses('192.168.7.1'), MERGE, { spec: { parentRef: { group: 'example.com' } } }),
  patch(addresses('192.168.7.1'), MERGE, { spec: { parentRef: null } }),
  del(addresses('192.168.7.1')),
];

const flow = (plural: string, name = '', rest = ''): string =>
  `/apis/flowcontrol.apiserver.k8s.io/v1/${plural}${name && `/${name}`}${rest}`;
const flowing = (kind: string, spec: object, name = 'flowing') => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind,
  metadata: { name },
  spec,
});
const lowest = { priorityLevelConfiguration: { name: 'catch-all' } };

const flowControl: readonly ApiCall[] = [
  get(flow('flowschemas')),
  get(flow('flowschemas'), TABLE),
  get(flow('prioritylevelconfigurations')),
  get(flow('prioritylevelconfigurations'), TABLE),
  ...[
    {},
    { ...lowest, matchingPrecedence: 1, distinguisherMethod: { type: 'Odd' } },
    { ...lowest, matchingPrecedence: 10_001, rules: [{}] },
    {
      ...lowest,
      rules: [
        {
          subjects: [{ kind: 'Odd' }, { kind: 'User', group: { name: 'g' } }, { kind: 'Group', group: {} }],
          resourceRules: [{ verbs: ['*', 'get'], apiGroups: ['*', ''], resources: [], namespaces: ['Bad_'] }, {}],
          nonResourceRules: [{ verbs: ['odd'], nonResourceURLs: ['', 'a', '/a b', '/a//b', '/a*', '/a/*'] }],
        },
      ],
    },
  ].map((spec) => post(flow('flowschemas'), flowing('FlowSchema', spec))),
  patch(flow('flowschemas', 'catch-all'), MERGE, { spec: { matchingPrecedence: 9 } }),
  patch(flow('flowschemas', 'exempt', '/status'), MERGE, { status: { conditions: [{ type: '' }, { type: '' }] } }),
  ...[
    {},
    { type: 'Exempt', limited: {} },
    { type: 'Limited', exempt: {} },
    { type: 'Limited', limited: { nominalConcurrencyShares: -1, lendablePercent: 101, borrowingLimitPercent: -1 } },
    { type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing: {} } } },
    ...[{}, { queues: -1 }, { queues: 4 }, { queues: 10_000_001, handSize: 20, queueLengthLimit: -1 }].map(
      (queuing) => ({
        type: 'Limited',
        limited: { limitResponse: { type: 'Queue', queuing } },
      }),
    ),
  ].map((spec) => post(flow('prioritylevelconfigurations'), flowing('PriorityLevelConfiguration', spec))),
  patch(flow('prioritylevelconfigurations', 'exempt'), MERGE, { spec: { exempt: { lendablePercent: -1 } } }),
  patch(flow('prioritylevelconfigurations', 'catch-all'), MERGE, { spec: { limited: { lendablePercent: 1 } } }),
  patch(flow('prioritylevelconfigurations', 'flowing', '/status'), MERGE, {
    metadata: { labels: { a: 'b' }, uid: 'other' },
    status: { conditions: [{ type: 'Odd', status: 'odd' }] },
  }),
  del(flow('prioritylevelconfigurations', 'flowing')),
];

const devices = (plural: string, name = ''): string => group('resource.k8s.io/v1', plural, name);
const claimed = (spec: object, kind = 'ResourceClaim') => ({
  apiVersion: 'resource.k8s.io/v1',
  kind,
  metadata: { name: 'claimed' },
  spec,
});
const request = { name: 'a', exactly: { deviceClassName: 'c' } };

const deviceClaims: readonly ApiCall[] = [
  post('/apis/resource.k8s.io/v1/deviceclasses', {
    ...claimed({ extendedResourceName: 'cpu', config: [{}, { opaque: { driver: 'Bad_', parameters: [1] } }] }),
    kind: 'DeviceClass',
  }),
  ...[
    { requests: [{}, { name: 'Bad_', exactly: { tolerations: [{ key: 'bad key', value: 'bad value' }] } }] },
    {
      requests: [request],
      constraints: [
        { requests: ['', 'a/x/y'], matchAttribute: 'model', distinctAttribute: 'b' },
        { distinctAttribute: 'Bad_/x y' },
        { matchAttribute: '/' },
      ],
    },
    {
      requests: [{ name: 'a', firstAvailable: [{ name: 'x', deviceClassName: 'c' }] }, request],
      constraints: [{ requests: ['a/x', 'a'], matchAttribute: 'a/b' }],
    },
    { requests: [request] },
  ].flatMap((of) => [
    post(devices('resourceclaims'), claimed({ devices: of })),
    post(
      devices('resourceclaimtemplates'),
      claimed({ metadata: { labels: { a: 'b c' }, name: 'x' }, spec: { devices: of } }, 'ResourceClaimTemplate'),
    ),
  ]),
  patch(devices('resourceclaims', 'claimed'), MERGE, {
    metadata: { finalizers: ['example.com/f'], labels: { a: 'b c' } },
    spec: { devices: { requests: [] } },
  }),
  patch(devices('resourceclaims', 'claimed'), MERGE, { metadata: { finalizers: ['example.com/f'] } }),
  del(devices('resourceclaims', 'claimed')),
  get(devices('resourceclaims', 'claimed'), TABLE),
  patch(devices('resourceclaims', 'claimed'), MERGE, { metadata: { finalizers: null } }),
];

/** Requests of cluster components, mostly for cluster-scoped objects; in order. */
export const clusterScenario: readonly ApiCall[] = [
  ...volumeAttachments,
  ...serviceRanges,
  ...flowControl,
  ...deviceClaims,
];
