import type { ApiCall } from './api-endpoint.js';
import { ODD_METADATA } from './odd-metadata.js';
import {
  APPLY,
  cm,
  core,
  del,
  get,
  group,
  JSON_PATCH,
  MERGE,
  patch,
  post,
  put,
  STRATEGIC,
  widget,
  widgets,
} from './scenario-calls.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const maps = (name = '', rest = ''): string => core('configmaps', name, rest);

const accepts: readonly ApiCall[] = [
  'application/xml',
  'application/*',
  'application/json;as=Table',
  'application/json;as=Table;v=v1;g=odd,application/yaml',
  'application/yaml;q=0.5,application/json;q=0.9',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io',
  `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io`,
  PROTOBUF,
].flatMap((accept) =>
  [maps('odd'), maps('absent'), maps(), widgets('odd'), widgets()].map((path) => get(path, accept)),
);

const types: readonly ApiCall[] = [
  'application/json;odd',
  'APPLICATION/JSON',
  PROTOBUF,
  'application/cbor',
  '',
  'application/x-www-form-urlencoded',
].flatMap((contentType) => [
  { ...post(maps(), cm('typed')), contentType },
  { ...put(maps('odd'), cm('odd')), contentType },
  { ...patch(maps('odd'), contentType, {}), accept: 'application/xml' },
  { ...del(maps('typed'), { dryRun: ['All'] }), contentType },
  { ...put(maps('odd', '?fieldValidation=x'), cm('odd')), contentType },
]);

const BODIES = [
  '',
  ' ',
  '{',
  '[1]',
  'null',
  '-1.5',
  '"text"',
  '{}',
  '{"kind":1}',
  '{"a":}',
  '{"a":1,}',
  '{}}',
  '\ufeff{}',
];
const bodies: readonly ApiCall[] = BODIES.flatMap((body) => [
  post(maps(), body),
  post(widgets('', '?fieldValidation=Ignore'), body),
  put(widgets('odd'), body),
  put(group('apps/v1', 'deployments', 'odd', '/scale'), body),
  ...[MERGE, STRATEGIC, JSON_PATCH].flatMap((type) => [
    patch(maps('odd'), type, body),
    patch(maps('odd', '?fieldValidation=Ignore'), type, body),
    patch(maps('absent'), type, body),
  ]),
  ...(['{}}', '{', '\ufeff{}', '{"a":}'].includes(body)
    ? []
    : [
        patch(maps('odd', '?fieldManager=one'), APPLY, body),
        patch(maps('absent', '/status?fieldManager=one'), APPLY, body),
      ]),
  del(maps('absent'), body),
]);

const queries: readonly ApiCall[] = [
  get(maps('odd', '?watch=1&timeoutSeconds=x')),
  get(maps('', '?resourceVersionMatch=Exact&fieldSelector=a%5Cb')),
  get(maps('', '?fieldSelector=metadata.name%3Da%5Cb')),
  get(maps('', '?fieldSelector=metadata.name%3Da%3Db')),
  get(maps('', '?labelSelector=a%2Fb%2Fc')),
  get(maps('', '?labelSelector=-x&fieldSelector=odd')),
  get(maps('', '?fieldSelector=%3D')),
  get(maps('', '?labelSelector=x%3D%3D%3Dy')),
  get(maps('', '?labelSelector=x%3D-y')),
  get(maps('', '?continue=x')),
  get(maps('', '?continue=e30')),
  get(maps('', '?limit=99999999999999999999')),
  get(maps('', '?includeObject=x'), 'application/json;as=Table;v=v1;g=meta.k8s.io'),
  del(maps('odd', '?resourceVersion=1')),
  del(maps('odd', '?uid=x')),
  del(maps('odd', '?propagationPolicy=x'), { dryRun: ['All'] }),
  del(widgets('', '?fieldSelector=metadata.name%3Da%5Cb')),
];

const metadata: readonly ApiCall[] = ODD_METADATA.flatMap((odd) => [
  post(maps('', '?dryRun=All'), { ...cm('new'), metadata: { name: 'new', ...odd } }),
  post(group('rbac.authorization.k8s.io/v1', 'roles', '', '?dryRun=All'), {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'new', ...odd },
    rules: [],
  }),
  put(maps('odd', '?dryRun=All'), { ...cm('odd'), metadata: { name: 'odd', ...odd } }),
  patch(widgets('odd', '?dryRun=All'), MERGE, { metadata: odd }),
]);

/** Headers, queries, metadata and bodies that no client of good will sends; in order. */
export const oddScenario: readonly ApiCall[] = [
  post(maps(), cm('odd', { data: { a: '1' } })),
  post(widgets(), widget('odd', { size: 1 })),
  ...accepts,
  ...types,
  ...bodies,
  ...queries,
  ...metadata,
  del(maps('odd')),
  del(widgets('odd')),
];
