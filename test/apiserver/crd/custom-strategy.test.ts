import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../api-client.js';

const PATH = '/apis/example.com/v1/namespaces/default/gauges';
let api: TestServer;

const gauge = (name: string, spec: object, more: object = {}) => ({
  ...{ apiVersion: 'example.com/v1', kind: 'Gauge', metadata: { name }, spec },
  ...more,
});

beforeAll(async () => {
  api = await TestServer.start();
  const spec = {
    type: 'object',
    properties: {
      size: { type: 'integer', minimum: 0 },
      note: { type: 'string' },
      when: { type: 'string', format: 'date' },
      words: { type: 'array', items: { type: 'string' } },
    },
    'x-kubernetes-validations': [{ rule: 'self.size < 10' }],
  };
  const status = { type: 'object', properties: { note: { type: 'string' }, replicas: { type: 'integer' } } };
  const version = {
    ...{ name: 'v1', served: true, storage: true },
    schema: { openAPIV3Schema: { type: 'object', required: ['metadata'], properties: { spec, status } } },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' } },
  };
  const names = { plural: 'gauges', singular: 'gauge', kind: 'Gauge' };
  await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'gauges.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
  });
  while ((await api.send('GET', PATH)).code !== 200);
});
afterAll(() => api.stop());

test('replicas that are written by a scale are validated like those of the object', async () => {
  await api.send('POST', PATH, gauge('a', { size: 1 }));
  const { code, body } = await api.patch(`${PATH}/a/scale`, 'merge', { spec: { replicas: -1 } });
  expect([code, body.details?.kind, body.message]).toEqual([
    422,
    'Gauge',
    'Gauge.example.com "a" is invalid: [spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0, .spec.size: Invalid value: -1: should be a non-negative integer]',
  ]);
});

test('a scale with an empty spec is rejected for an object without replicas', async () => {
  await api.send('POST', PATH, gauge('b', { size: 1 }));
  await api.patch(`${PATH}/b`, 'merge', { spec: null });
  const { code, body } = await api.patch(`${PATH}/b/scale`, 'merge', { spec: {} });
  expect([code, body.message]).toEqual([400, 'the spec replicas field ".spec.size" cannot be empty']);
});

test('rules are not evaluated when the metadata is invalid', async () => {
  const { body } = await api.send('POST', PATH, { ...gauge('', { size: 20 }), metadata: {} });
  expect(body.message).toMatch(/metadata.name: Required value.*some validation rules were not checked/);
});

test('the status subresource changes the status only', async () => {
  await api.send('POST', PATH, gauge('c', { size: 1 }));
  const { body } = await api.patch(`${PATH}/c/status`, 'merge', { status: { note: 3 } });
  expect(body.message).toMatch(/status\.note: Invalid value: "integer": note in body must be of type string/);
});

test('an object of another kind is rejected with that error only', async () => {
  const { code, body } = await api.send('POST', PATH, gauge('d', { size: -1 }, { kind: 'Other' }));
  expect([code, body.message]).toEqual([
    422,
    'Other.example.com "d" is invalid: kind: Invalid value: "Other": must be Gauge',
  ]);
});

test('null is dropped from a created object, and rejected in an applied one', async () => {
  expect((await api.send('POST', PATH, gauge('e', { size: 1, note: null }))).code).toBe(201);
  expect((await api.apply(`${PATH}/f`, 'one', gauge('f', { size: 1, note: null }))).code).toBe(422);
});

test('an object that does not match its schema loses its managedFields', async () => {
  await api.send('POST', PATH, gauge('g', { size: 1 }));
  const { code, body } = await api.patch(`${PATH}/g/status`, 'merge', { spec: { size: 'x' }, status: { note: 'n' } });
  expect([code, body.metadata?.managedFields]).toEqual([200, undefined]);
});

test('an unqualified finalizer causes a warning', async () => {
  const metadata = { name: 'h', finalizers: ['plain', 'with.domain'] };
  const { headers } = await api.send('POST', PATH, { ...gauge('h', { size: 1 }), metadata });
  expect(headers.warning).toBe(
    '299 - "metadata.finalizers: \\"plain\\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers", ' +
      '299 - "metadata.finalizers: \\"with.domain\\": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers"',
  );
});

test('stored objects keep values that a new schema forbids, and get its defaults', async () => {
  await api.send('POST', PATH, gauge('i', { size: 1, words: ['bad'] }));
  const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gauges.example.com';
  const field = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties';
  const rules = [{ rule: 'self != "bad"' }];
  await api.patch(definition, 'json', [
    { op: 'add', path: `${field}/words/maxItems`, value: 9 },
    { op: 'add', path: `${field}/words/items/maxLength`, value: 9 },
    { op: 'add', path: `${field}/words/items/x-kubernetes-validations`, value: rules },
    { op: 'add', path: `${field}/note/default`, value: 'usual' },
  ]);
  const stored = await api.until(`${PATH}/i`, ({ body }) => body.spec?.note !== undefined);
  expect(stored.body.spec!.note).toBe('usual');
  expect((await api.patch(`${PATH}/i`, 'merge', { spec: { size: 2 } })).code).toBe(200);
  const { body } = await api.patch(`${PATH}/i`, 'merge', { spec: { words: ['bad', 'new'] } });
  expect(body.message).toContain('spec.words[0]: Invalid value: "bad"');
});
