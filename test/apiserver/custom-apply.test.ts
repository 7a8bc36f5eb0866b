import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer, text, type Reply } from './api-client.js';

const PLAINS = '/apis/example.com/v1/namespaces/default/plains';
const GONE = '2026-01-01T00:00:00Z';
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'plains.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'plains', kind: 'Plain' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.start();
  await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await api.until(PLAINS, ({ code }) => code === 200);
});
afterAll(() => api.stop());

const apply = (name: string, metadata: object): Promise<Reply> =>
  api.apply(`${PLAINS}/${name}`, 'one', {
    apiVersion: 'example.com/v1',
    kind: 'Plain',
    metadata: { name, ...metadata },
  });
const versionOf = ({ body }: Reply): string => text(body.metadata!.resourceVersion);

describe('metadata that is applied to a custom resource as nothing', () => {
  test.each([
    ['a label', { labels: { a: null } }],
    ['labels', { labels: {} }],
    ['annotations', { annotations: null }],
    ['finalizers', { finalizers: [] }],
    ['owners', { ownerReferences: [] }],
  ])(
    'after empty metadata is applied, the next unchanged write is stored and the one after it is not: %s',
    async (title, metadata) => {
      const name = title.replace(' ', '-');
      const versions = [await apply(name, metadata)];
      for (let write = 1; write <= 2; write++) versions.push(await api.patch(`${PLAINS}/${name}`, 'merge', {}));
      const [applied, first, second] = versions.map(versionOf);
      expect([first === applied, second === first]).toEqual([false, true]);
    },
  );

  test('empty metadata is stored each time it is applied', async () => {
    const [first, second] = [await apply('again', { labels: {} }), await apply('again', { labels: {} })].map(versionOf);
    expect(second).not.toBe(first);
  });

  test('after empty metadata is applied, the next request of a pending deletion is stored', async () => {
    const path = `${PLAINS}/waiting`;
    await apply('waiting', {});
    await api.send('DELETE', path, { propagationPolicy: 'Foreground' });
    const applied = versionOf(await apply('waiting', { labels: { a: null } }));
    const versions = [await api.send('DELETE', path), await api.send('DELETE', path)].map(versionOf);
    expect([versions[0] === applied, versions[1] === versions[0]]).toEqual([false, true]);
  });
});

describe('what is applied to a custom resource of its deletion', () => {
  test.each([{ deletionTimestamp: 'never' }, { deletionTimestamp: 1 }, { deletionGracePeriodSeconds: 1.5 }])(
    'an applied deletionTimestamp that cannot be parsed is ignored: %j',
    async (metadata) => {
      const { code, body } = await apply('unread', metadata);
      expect([code < 300, body.metadata!.deletionTimestamp]).toEqual([true, undefined]);
    },
  );

  test('a valid deletionTimestamp cannot be applied', async () => {
    await apply('read', {});
    const { body } = await apply('read', { deletionTimestamp: GONE });
    expect(body.message).toBe(
      `Plain.example.com "read" is invalid: metadata.deletionTimestamp: Invalid value: "${GONE}": field is immutable`,
    );
  });
});

test('apply fails if a stored list item lacks its keys', async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts/keyless';
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'keyless' } };
  await api.apply(path, 'one', { ...account, secrets: [{ name: null }] });
  const { code, body } = await api.apply(path, 'two', account);
  expect([code, body.message]).toEqual([
    500,
    `failed to create typed live object (default/keyless; /v1, Kind=ServiceAccount): .secrets: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
  ]);
});

test('a field that is applied as null to an object without it stays missing', async () => {
  const [name, names] = ['fieldless.example.com', { plural: 'fieldless', kind: 'Fieldless' }];
  const versions = [{ ...definition.spec.versions[0], subresources: { status: { odd: 1 } } }];
  const odd = { ...definition, metadata: { name }, spec: { ...definition.spec, names, versions } };
  const { code } = await api.apply(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`, 'one', odd);
  expect(code).toBe(201);
});

test('the error for a custom resource with unreadable metadata contains the kind of the body', async () => {
  const { body } = await api.send('POST', PLAINS, { apiVersion: 'example.com/v1', kind: 'Plane', metadata: 1 });
  expect(body.message).toBe(
    'Plane in version "v1" cannot be handled as a Plain: json: cannot unmarshal number into Go value of type v1.ObjectMeta',
  );
});

test('an applied selfLink is dropped', async () => {
  expect((await apply('linked', { selfLink: '/odd' })).body.metadata!.selfLink).toBeUndefined();
});

describe('a scale that is applied', () => {
  const path = '/api/v1/namespaces/default/replicationcontrollers/scaled';
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'scaled' } };

  beforeAll(async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const controller = { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'scaled' } };
    await api.send('POST', path.replace('/scaled', ''), { ...controller, spec: { template } });
  });

  test.each([
    [{ spec: { replicas: -1 } }, 400, 'invalid object type: /, Kind='],
    [{ ...scale, metadata: { managedFields: [{}] } }, 400, 'metadata.managedFields must be nil'],
    [
      { ...scale, spec: { odd: 1 } },
      500,
      'failed to create typed patch object (/scaled; autoscaling/v1, Kind=Scale): .spec.odd: field not declared in schema',
    ],
  ])('an applied scale without valid content is rejected: %j', async (config, code, message) => {
    const { body } = await api.apply(`${path}/scale`, 'one', config);
    expect([body.code, body.message]).toEqual([code, message]);
  });

  test('a scale may be replaced with invalid managedFields', async () => {
    const managedFields = [{ manager: '\u0001', operation: 'Update', apiVersion: 'autoscaling/v1' }];
    const metadata = { name: 'scaled', namespace: 'default', managedFields };
    expect((await api.send('PUT', `${path}/scale`, { ...scale, metadata, spec: { replicas: 2 } })).code).toBe(200);
  });
});

test('FlowSchemas are listed in the order in which they match', async () => {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
  const { body } = await api.send('GET', path, undefined, { accept });
  const rows = body.rows as unknown as { cells: string[] }[];
  expect(rows.slice(0, 3).map(({ cells }) => cells[0])).toEqual(['exempt', 'probes', 'system-leader-election']);
});

test('unknown fields of a definition are reported with their path', async () => {
  const odd = { apiVersion: 'example.com/v1', kind: 'Plain', metadata: { name: 'odd' }, 'a\n"b': 1 };
  const { body } = await api.send('POST', `${PLAINS}?fieldValidation=Strict`, odd);
  expect(body.message).toContain('strict decoding error: unknown field "a\n"b"');
});

test.each([
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests', 400],
  ['/api/v1/nodes', 400],
  ['/apis/storage.k8s.io/v1/storageclasses', 200],
  [PLAINS, 200],
])('a field selector on metadata.namespace has the status of the real server: %s', async (path, code) => {
  expect((await api.send('GET', `${path}?fieldSelector=metadata.namespace%3Ddefault`)).code).toBe(code);
});
