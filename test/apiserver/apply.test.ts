import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, TestServer, type Reply } from './api-client.js';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

const managers = ({ body }: Reply): string[] =>
  (body.metadata!.managedFields as unknown as { manager: string }[]).map(({ manager }) => manager);

test('apply creates the object and owns the applied fields', async () => {
  const reply = await api.apply(`${CONFIG_MAPS}/a`, 'one', configMap('a', { x: '1' }));
  expect([reply.code, (reply.body.metadata!.managedFields as unknown as { fieldsV1: unknown }[])[0]!.fieldsV1]).toEqual(
    [201, { 'f:data': { 'f:x': {} } }],
  );
});

test('a field of another manager is a conflict that names both', async () => {
  await api.apply(`${CONFIG_MAPS}/b`, 'one', configMap('b', { x: '1' }));
  const { body } = await api.apply(`${CONFIG_MAPS}/b`, 'two', configMap('b', { x: '2' }));
  expect(body.message).toBe('Apply failed with 1 conflict: conflict with "one": .data.x');
});

test('force takes ownership of the field', async () => {
  await api.apply(`${CONFIG_MAPS}/c`, 'one', configMap('c', { x: '1' }));
  const reply = await api.apply(`${CONFIG_MAPS}/c`, 'two', configMap('c', { x: '2' }), true);
  expect([reply.body.data!.x, managers(reply)]).toEqual(['2', ['two']]);
});

test('a field that is no longer applied is removed, unless another manager owns it', async () => {
  await api.apply(`${CONFIG_MAPS}/d`, 'one', configMap('d', { mine: '1', shared: '1' }));
  await api.apply(`${CONFIG_MAPS}/d`, 'two', configMap('d', { shared: '1' }));
  expect((await api.apply(`${CONFIG_MAPS}/d`, 'one', configMap('d', { other: '1' }))).body.data).toEqual({
    shared: '1',
    other: '1',
  });
});

test('applying the same again writes nothing', async () => {
  const first = await api.apply(`${CONFIG_MAPS}/e`, 'one', configMap('e', { x: '1' }));
  const again = await api.apply(`${CONFIG_MAPS}/e`, 'one', configMap('e', { x: '1' }));
  expect(again.body.metadata!.resourceVersion).toBe(first.body.metadata!.resourceVersion);
});

test('managedFields keep the entries that a client writes, including those of fields that cannot be owned', async () => {
  await api.apply(`${CONFIG_MAPS}/given`, 'one', configMap('given', { x: '1' }));
  const entry = { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' };
  const managedFields = [{ ...entry, fieldsV1: { 'f:metadata': { 'f:name': {} } } }];
  const { body } = await api.patch(`${CONFIG_MAPS}/given`, 'merge', { metadata: { managedFields } });
  expect(body.metadata!.managedFields).toEqual(managedFields);
});

test('items of a map list are owned one by one', async () => {
  const services = '/api/v1/namespaces/default/services/s';
  const service = (port: number) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: [{ name: `p${port}`, port }] },
  });
  await api.apply(services, 'one', service(80));
  const { body } = await api.apply(services, 'two', service(81));
  expect((body.spec!.ports as unknown as { port: number }[]).map(({ port }) => port)).toEqual([80, 81]);
});

const TWICE = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: twice }\ndata:\n  x: "1"\n  x: "2"\n';

test.each([
  ['YAML', TWICE, 6],
  ['JSON', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"twice"},"data":{"x":"1","x":"2"}}', 1],
])('a duplicate key in %s causes a warning, and its last value is used', async (_format, body, line) => {
  const reply = await api.apply(`${CONFIG_MAPS}/twice`, 'one', body);
  expect([reply.body.data, reply.headers.warning]).toEqual([
    { x: '2' },
    `299 - "line ${line}: key \\"x\\" already set in map"`,
  ]);
});

test('strict validation rejects a duplicate key', async () => {
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const path = `${CONFIG_MAPS}/twice?fieldManager=one&fieldValidation=Strict`;
  const { code, body } = await api.send('PATCH', path, TWICE, headers);
  expect([code, body.message]).toEqual([
    400,
    'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 6: key "x" already set in map',
  ]);
});

test('an apply of invalid YAML is a bad request', async () => {
  const { code, body } = await api.apply(`${CONFIG_MAPS}/bad`, 'one', '{"apiVersion":"v1",,}');
  expect([code, body.message]).toEqual([
    400,
    expect.stringContaining('error decoding YAML: error converting YAML to JSON: yaml: '),
  ]);
});

describe('managedFields that a client sends', () => {
  const path = `${CONFIG_MAPS}/sent`;
  const managers = async (managedFields: object[]): Promise<string[]> => {
    await api.apply(path, 'one', configMap('sent', { a: '1' }), true);
    const { body } = await api.patch(path, 'merge', { metadata: { managedFields } });
    return ((body.metadata!.managedFields ?? []) as unknown as { manager: string }[]).map(({ manager }) => manager);
  };

  test.each([
    ['no entry', []],
    ['one empty entry', [{}]],
  ])('managedFields from a client %s drop all entries', async (_what, entries) => {
    expect(await managers(entries)).toEqual([]);
  });

  test.each([
    ['of no operation there is', { manager: 'm', operation: 'Foo', apiVersion: 'v1', fieldsType: 'FieldsV1' }],
    ['without a type', { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsV1: {} }],
  ])('managedFields from a client that cannot be decoded, being %s, are ignored', async (_what, entry) => {
    expect(await managers([entry])).toContain('one');
  });
});

test('a duplicate item of a list is owned as a whole', async () => {
  const env = [
    { name: 'A', value: '1' },
    { name: 'A', value: '2' },
    { name: 'B', value: '1' },
  ];
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i', env }] } };
  const body = { metadata: { name: 'twice' }, template };
  const created = await api.send('POST', '/api/v1/namespaces/default/podtemplates', body);
  expect(created.headers.warning).toContain('template.spec.containers[0].env[1]: hides previous definition of');
  expect(JSON.stringify(created.body.metadata!.managedFields)).toContain(
    '"f:env":{".":{},"k:{\\"name\\":\\"A\\"}":{},"k:{\\"name\\":\\"B\\"}":{".":{},"f:name":{},"f:value":{}}}',
  );
  const applied = (entries: object[]) => ({
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'twice' },
    template: { spec: { containers: [{ name: 'c', env: entries }] } },
  });
  const path = '/api/v1/namespaces/default/podtemplates/twice';
  const envAfter = async (entries: object[]): Promise<unknown> => {
    const { body } = await api.apply(path, 'one', applied(entries), true);
    return (body.template!.spec!.containers as unknown as { env: unknown }[])[0]!.env;
  };
  const added = { name: 'C', value: '1' };
  expect(await envAfter([added])).toEqual([...env, added]);
  expect(await envAfter([{ name: 'A', value: '3' }, added])).toEqual([{ name: 'A', value: '3' }, env[2], added]);
});

test('created and patched objects have no selfLink', async () => {
  const { body } = await api.send('POST', CONFIG_MAPS, configMap('linked', {}, { selfLink: '/x' }));
  expect(body.metadata).not.toHaveProperty('selfLink');
  const patched = await api.patch(`${CONFIG_MAPS}/linked`, 'merge', { metadata: { selfLink: '/y' } });
  expect(patched.body.metadata).not.toHaveProperty('selfLink');
});
