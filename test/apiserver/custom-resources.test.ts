import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObjectStore } from '../../src/apiserver/storage/object-store.js';
import { SqliteJournal } from '../../src/apiserver/storage/sqlite-journal.js';
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
  test('a custom resource is pruned and gets its defaults', async () => {
    const { body } = await api.send('POST', THINGS, thing('a', { size: 1, extra: true }));
    expect(body.spec).toEqual({ size: 1, mode: 'fast' });
  });

  test('a custom resource of the wrong type is rejected with the message of the real server', async () => {
    const { body } = await api.send('POST', THINGS, thing('b', { size: 'x' }));
    expect(body.message).toContain(
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    );
  });

  test('the rules of a schema are enforced', async () => {
    expect((await api.send('POST', THINGS, thing('c', { size: 10 }))).body.message).toBe(
      'Thing.example.com "c" is invalid: spec: Invalid value: too big',
    );
  });

  test('transition rules are enforced once a former value exists', async () => {
    await api.send('POST', THINGS, thing('d', { size: 1, fixed: 'x' }));
    const { body } = await api.patch(`${THINGS}/d`, 'merge', { spec: { fixed: 'y' } });
    expect(body.message).toContain('is for good');
  });

  test('a pattern with exponential backtracking is evaluated in linear time', async () => {
    const startedAt = process.cpuUsage();
    await api.send('POST', THINGS, thing('e', { size: 1, name: `${'a'.repeat(40)}!` }));
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
  });

  test('the status endpoint changes only the status', async () => {
    await api.send('POST', THINGS, thing('f', { size: 1 }));
    const { body } = await api.patch(`${THINGS}/f/status`, 'merge', { spec: { size: 2 }, status: { note: 'n' } });
    expect([body.spec!.size, body.status!.note, body.metadata!.generation]).toEqual([1, 'n', 1]);
  });

  test('a custom resource cannot be replaced without a resourceVersion', async () => {
    await api.send('POST', THINGS, thing('g', { size: 1 }));
    expect((await api.send('PUT', `${THINGS}/g`, thing('g', { size: 2 }))).body.message).toContain(
      'must be specified for an update',
    );
  });

  test('a table of custom resources has the printer columns', async () => {
    const { body } = await api.send('GET', THINGS, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    expect((body.columnDefinitions as unknown as { name: string }[]).map(({ name }) => name)).toEqual(['Name', 'Size']);
  });
});

describe('a definition', () => {
  test('a definition of a protected group requires an approval', async () => {
    const names = { plural: 'odds', kind: 'Odd' };
    const { body } = await api.send('POST', DEFINITIONS, {
      ...definition,
      metadata: { name: 'odds.x.k8s.io' },
      spec: { ...definition.spec, group: 'x.k8s.io', names },
    });
    expect(body.message).toContain('protected groups must have approval annotation "api-approved.kubernetes.io"');
  });

  test('a deleted definition deletes its objects', async () => {
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

  test('a definition waits for names that another one uses', async () => {
    const other = await TestServer.start();
    const names = { plural: 'others', kind: 'Thing' };
    const rival = { ...definition, metadata: { name: 'others.example.com' }, spec: { ...definition.spec, names } };
    await other.send('POST', DEFINITIONS, rival);
    await other.until(`${DEFINITIONS}/others.example.com`, ({ body }) => isEstablished(body));
    await other.send('POST', DEFINITIONS, definition);
    const { body } = await other.until(`${DEFINITIONS}/things.example.com`, ({ body }) => 'conditions' in body.status!);
    const refused = await other.send('GET', THINGS);
    await other.send('DELETE', `${DEFINITIONS}/others.example.com`);
    await other.until(`${DEFINITIONS}/things.example.com`, ({ body }) => isEstablished(body));
    await other.stop();
    expect(refused.code).toBe(404);
    expect(body.status).toMatchObject({
      acceptedNames: { plural: 'things', kind: '' },
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'False',
          reason: 'ListKindConflict',
          message: '"ThingList" is already in use',
        },
        { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
      ],
    });
  });

  test('a definition that a killed server had stored is served by the next one', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'definitions-'));
    const journal = new SqliteJournal(dataDir);
    const store = new ObjectStore({ journal: (collection, event) => journal.write(collection, event) });
    const metadata = { name: 'things.example.com', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' };
    store.put('customresourcedefinitions.apiextensions.k8s.io', 'things.example.com', { ...definition, metadata });
    journal.close();
    const next = await TestServer.start({ dataDir });
    await next.until(`${DEFINITIONS}/things.example.com`, ({ body }) => isEstablished(body));
    const { code } = await next.send('GET', THINGS);
    await next.stop();
    rmSync(dataDir, { recursive: true });
    expect(code).toBe(200);
  });

  test('deleting a definition ends the watches of its objects', async () => {
    const other = await TestServer.start();
    await other.send('POST', DEFINITIONS, definition);
    await other.until(`${DEFINITIONS}/things.example.com`, ({ body }) => isEstablished(body));
    const ended = other.send('GET', `${THINGS}?watch=1`);
    await other.until(THINGS, ({ code }) => code === 200); // the watch has begun
    await other.send('DELETE', `${DEFINITIONS}/things.example.com`);
    const { code } = await ended;
    await other.stop();
    expect(code).toBe(200);
  });
});
