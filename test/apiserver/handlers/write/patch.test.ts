import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, TestServer, type Reply } from '../../api-client.js';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

const said = ({ code, body }: Reply): unknown[] => [code, body.message];

describe('a patch with an invalid result', () => {
  test('the error for a patch with an invalid result quotes the result', async () => {
    await api.send('POST', CONFIG_MAPS, configMap('a', { x: '1' }));
    const { code, body } = await api.patch(`${CONFIG_MAPS}/a`, 'merge', {
      data: 'text',
      metadata: { managedFields: [{}] },
    });
    expect(code).toBe(422);
    expect(body.message).toMatch(
      /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"v1\\",\\"data\\":\\"text\\"/,
    );
    expect(body.message).toMatch(
      /cannot unmarshal string into Go struct field ConfigMap.data of type map\[string\]string$/,
    );
  });

  test('the error for a strategic merge patch quotes the result as a Go map', async () => {
    const reply = await api.patch(`${CONFIG_MAPS}/a`, 'strategic-merge', { data: 'text' });
    const why = 'patch: Invalid value: "map[data:text]": cannot restore map from string';
    expect(said(reply)).toEqual([422, ` "" is invalid: ${why}`]);
  });

  test('strict validation reports unknown fields of a patch', async () => {
    const path = `${CONFIG_MAPS}/a?fieldValidation=Strict`;
    const { code, body } = await api.patch(path, 'strategic-merge', { odd: 1, also: 2 });
    expect([code, body.message]).toEqual([
      422,
      ' "" is invalid: patch: Invalid value: "map[also:2 odd:1]": strict decoding error: unknown field "also", unknown field "odd"',
    ]);
  });
});

test('a patch with the uid of another object is invalid, and a replacement is a conflict', async () => {
  await api.send('POST', CONFIG_MAPS, configMap('b'));
  const metadata = { name: 'b', uid: '11111111-1111-1111-1111-111111111111' };
  expect((await api.patch(`${CONFIG_MAPS}/b`, 'merge', { metadata })).code).toBe(422);
  expect((await api.send('PUT', `${CONFIG_MAPS}/b`, { ...configMap('b'), metadata })).code).toBe(409);
});

test('a strategic patch puts new items before those that only the server has', async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts';
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 's' } };
  await api.send('POST', path, { ...account, secrets: [{ name: 'a' }, { name: 'b' }] });
  const { body } = await api.patch(`${path}/s`, 'strategic-merge', { secrets: [{ name: 'c' }] });
  expect(body.secrets).toEqual([{ name: 'c' }, { name: 'a' }, { name: 'b' }]);
});

describe('server-side apply', () => {
  test('server-side apply uses the name in the path', async () => {
    await api.send('POST', CONFIG_MAPS, configMap('c'));
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { x: '1' } };
    expect((await api.apply(`${CONFIG_MAPS}/c`, 'one', config)).body.data).toEqual({ x: '1' });
    expect((await api.apply(`${CONFIG_MAPS}/missing`, 'one', config)).code).toBe(400);
  });

  test('server-side apply rejects a configuration of another kind', async () => {
    const reply = await api.apply(`${CONFIG_MAPS}/c`, 'one', {
      apiVersion: 'v1',
      kind: 'Other',
      metadata: { name: 'c' },
    });
    expect(said(reply)).toEqual([400, 'invalid object type: /v1, Kind=Other']);
  });

  test('server-side apply rejects a value that does not fit the kind', async () => {
    const path = '/api/v1/namespaces/default/secrets/s';
    const config = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { x: 'no base64' } };
    expect(said(await api.apply(path, 'one', config))).toEqual([
      500,
      'failed to convert new object (/s; /v1, Kind=Secret) to proper version: unable to convert unstructured object to /v1, Kind=Secret: error decoding from json: illegal base64 data at input byte 2',
    ]);
  });

  test('server-side apply by kubectl takes ownership of fields of client-side apply, and updates its annotation', async () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const last = JSON.stringify(configMap('d', { x: '1' }));
    const given = { ...configMap('d', { x: '1' }), metadata: { name: 'd', annotations: { [annotation]: last } } };
    await api.send('POST', `${CONFIG_MAPS}?fieldManager=kubectl-client-side-apply`, given);
    expect((await api.apply(`${CONFIG_MAPS}/d`, 'other', configMap('d', { x: '2' }))).code).toBe(409);
    const { code, body } = await api.apply(`${CONFIG_MAPS}/d`, 'kubectl', configMap('d', { x: '2' }));
    expect([code, body.data]).toEqual([200, { x: '2' }]);
    expect(body.metadata?.annotations?.[annotation]).toBe(
      '{"apiVersion":"v1","data":{"x":"2"},"kind":"ConfigMap","metadata":{"name":"d"}}\n',
    );
  });
});

test('an empty list that is always serialized is owned by its writer', async () => {
  const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' }, rules: [] };
  const { body } = await api.send('POST', path, role);
  const [entry] = body.metadata?.managedFields as unknown as { fieldsV1: unknown }[];
  expect([body.rules, entry?.fieldsV1]).toEqual([null, { 'f:rules': {} }]);
});

test('a resourceVersion of a new object is rejected after all other checks, but not in a dry run', async () => {
  const object = { ...configMap('e'), metadata: { name: 'e', resourceVersion: '1' } };
  const message = 'resourceVersion should not be set on objects to be created';
  expect(said(await api.send('POST', CONFIG_MAPS, object))).toEqual([500, message]);
  expect((await api.send('POST', `${CONFIG_MAPS}?dryRun=All`, object)).code).toBe(201);
  const odd = { ...object, data: { 'a b': '' } };
  expect((await api.send('POST', CONFIG_MAPS, odd)).code).toBe(422);
});

test('errors of unreadable values precede those of values of a wrong type', async () => {
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 1 },
    spec: { renewTime: 'now' },
  };
  expect((await api.send('POST', path, lease)).body.message).toMatch(/parsing time "now"/);
});

describe('a namespace', () => {
  const path = '/api/v1/namespaces/n';

  test('a namespace is marked by its first deletion with every propagation policy', async () => {
    await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    const unmet = await api.send('DELETE', path, { preconditions: { resourceVersion: '1' } });
    expect(unmet.body.message).toMatch(
      /^Operation cannot be fulfilled on namespaces "n": Precondition failed: ResourceV/,
    );
    const { body } = await api.send('DELETE', path);
    expect([body.status?.phase, body.metadata?.deletionGracePeriodSeconds]).toEqual(['Terminating', undefined]);
  });
});
