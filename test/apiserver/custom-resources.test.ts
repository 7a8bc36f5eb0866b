import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer, type Json } from './api-client.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/example.com/v1/namespaces/default/things';

const spec = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 0 },
    mode: { type: 'string', default: 'fast' },
    name: { type: 'string', pattern: '^(a+)+$' },
    fixed: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is for good' }] },
  },
  'x-kubernetes-validations': [{ rule: 'self.size < 10', message: 'too big' }],
};

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec, status: { type: 'object', properties: { note: { type: 'string' } } } },
          },
        },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      },
    ],
  },
};

const thing = (name: string, body: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec: body,
});
const isEstablished = (body: Json): boolean => JSON.stringify(body.status?.conditions ?? []).includes('"Established"');

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
  await api.send('POST', DEFINITIONS, definition);
  await api.until(`${DEFINITIONS}/things.example.com`, ({ body }) => isEstablished(body));
});
afterAll(() => api.stop());

describe('an object of a custom resource', () => {
  test('is pruned and gets its defaults', async () => {
    const { body } = await api.send('POST', THINGS, thing('a', { size: 1, extra: true }));
    expect(body.spec).toEqual({ size: 1, mode: 'fast' });
  });

  test('of the wrong type is refused in the words of the real server', async () => {
    const { body } = await api.send('POST', THINGS, thing('b', { size: 'x' }));
    expect(body.message).toContain(
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    );
  });

  test('is held to the rules of its schema', async () => {
    expect((await api.send('POST', THINGS, thing('c', { size: 10 }))).body.message).toBe(
      'Thing.example.com "c" is invalid: spec: Invalid value: too big',
    );
  });

  test('is held to transition rules once there is a former value', async () => {
    await api.send('POST', THINGS, thing('d', { size: 1, fixed: 'x' }));
    const { body } = await api.patch(`${THINGS}/d`, 'merge', { spec: { fixed: 'y' } });
    expect(body.message).toContain('is for good');
  });

  test('with a hostile pattern costs no time', async () => {
    const startedAt = process.cpuUsage();
    await api.send('POST', THINGS, thing('e', { size: 1, name: `${'a'.repeat(40)}!` }));
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
  });

  test('changes nothing but its status through the status endpoint', async () => {
    await api.send('POST', THINGS, thing('f', { size: 1 }));
    const { body } = await api.patch(`${THINGS}/f/status`, 'merge', { spec: { size: 2 }, status: { note: 'n' } });
    expect([body.spec!.size, body.status!.note, body.metadata!.generation]).toEqual([1, 'n', 1]);
  });

  test('cannot be updated without a resourceVersion', async () => {
    await api.send('POST', THINGS, thing('g', { size: 1 }));
    expect((await api.send('PUT', `${THINGS}/g`, thing('g', { size: 2 }))).body.message).toContain(
      'must be specified for an update',
    );
  });

  test('shows its printer columns', async () => {
    const { body } = await api.send('GET', THINGS, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    expect((body.columnDefinitions as unknown as { name: string }[]).map(({ name }) => name)).toEqual(['Name', 'Size']);
  });
});

describe('a definition', () => {
  test('of a protected group needs an approval', async () => {
    const names = { plural: 'odds', kind: 'Odd' };
    const { body } = await api.send('POST', DEFINITIONS, {
      ...definition,
      metadata: { name: 'odds.x.k8s.io' },
      spec: { ...definition.spec, group: 'x.k8s.io', names },
    });
    expect(body.message).toContain('protected groups must have approval annotation "api-approved.kubernetes.io"');
  });

  test('takes its objects along when it is deleted', async () => {
    const other = await TestServer.start();
    await other.send('POST', DEFINITIONS, definition);
    await other.until(`${DEFINITIONS}/things.example.com`, ({ body }) => isEstablished(body));
    await other.send('POST', THINGS, thing('a', { size: 1 }));
    await other.send('DELETE', `${DEFINITIONS}/things.example.com`);
    await other.until(`${DEFINITIONS}/things.example.com`, ({ code }) => code === 404);
    const gone = await other.send('GET', THINGS);
    await other.stop();
    expect(gone.code).toBe(404);
  });
});
