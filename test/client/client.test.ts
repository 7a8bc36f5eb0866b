import { describe, expect, test } from '@jest/globals';
import { type Logger, silentLogger } from '../../src/base/logger.js';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { Client } from '../../src/client/client.js';
import { failure, json } from './scripted-server.js';
import { clientOf, ConfigMap, HastyClock, scripted, stored } from './test-client.js';

const NS = { namespace: 'ns' };
const Widget: KindRef = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Cluster' };

/** A client that gets `answer` for every request, and the requests that it sent. */
async function echo(answer?: unknown) {
  const server = await scripted((request, socket) => socket.write(json(answer ?? stored(request))));
  const sent = () => {
    const { method, path, headers, body } = server.requests[0]!;
    return {
      method,
      path,
      type: headers['content-type'],
      body: body === '' ? undefined : (JSON.parse(body) as unknown),
    };
  };
  return { client: clientOf(server), server, sent };
}

test('the stack of a failed connection has the function that made the call', async () => {
  const server = await scripted((_request, socket) => socket.destroy());
  const createConfig = async () =>
    await clientOf(server).create(ConfigMap, { metadata: { name: 'a', namespace: 'ns' } });
  await expect(createConfig()).rejects.toMatchObject({ stack: expect.stringMatching(/at (async )?createConfig/) });
});

describe('additional headers', () => {
  test('an interceptor can add headers to a request', async () => {
    const { client, server } = await echo();
    const traced = client.intercept((request, send) => send({ ...request, headers: { traceparent: '00-a-b-01' } }));
    await traced.get(ConfigMap, 'a', NS);
    expect(server.requests[0]?.headers['traceparent']).toBe('00-a-b-01');
  });

  test.each([
    ['authorization', 'Bearer x'],
    ['impersonate-user', 'admin'],
    ['content-length', '0'],
    ['Host', 'example.com'],
    ['a b', 'x'],
    ['x', 'a\r\nhost: b'],
  ])('the header %s: %j cannot be added to a request', async (name, value) => {
    const { client, server } = await echo();
    const request = client.request({ method: 'GET', path: '/version', headers: { [name]: value } });
    await expect(request).rejects.toMatchObject({ code: 'E_REQUEST' });
    expect(server.requests).toHaveLength(0);
  });
});

describe('writes on the wire', () => {
  test('create posts the object with its apiVersion and kind, as the field manager', async () => {
    const { client, sent } = await echo();
    await client.create(ConfigMap, { metadata: { name: 'a', namespace: 'ns' }, data: { x: '1' } }, { dryRun: true });
    expect(sent()).toEqual({
      method: 'POST',
      path: '/api/v1/namespaces/ns/configmaps?fieldManager=kindwright&dryRun=All',
      type: 'application/json',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'ns' }, data: { x: '1' } },
    });
  });

  test('update puts to the object', async () => {
    const { client, sent } = await echo();
    await client.update(ConfigMap, { metadata: { name: 'a', namespace: 'ns' } }, { fieldManager: 'me' });
    expect(sent()).toMatchObject({ method: 'PUT', path: '/api/v1/namespaces/ns/configmaps/a?fieldManager=me' });
  });

  test.each([
    ['merge', 'application/merge-patch+json'],
    ['json', 'application/json-patch+json'],
    ['strategic', 'application/strategic-merge-patch+json'],
  ] as const)('a %s patch is sent as %s', async (type, contentType) => {
    const { client, sent } = await echo();
    await client.patch(ConfigMap, 'a', { data: null }, { ...NS, type, subresource: 'status' });
    expect(sent()).toMatchObject({ method: 'PATCH', type: contentType, body: { data: null } });
    expect(sent().path).toContain('/configmaps/a/status?');
  });

  test('apply always sends apiVersion and kind, and forces if requested', async () => {
    const { client, sent } = await echo();
    await client.apply(Widget, { metadata: { name: 'a' } }, { force: true });
    expect(sent()).toEqual({
      method: 'PATCH',
      path: '/apis/example.com/v1/widgets/a?fieldManager=kindwright&force=true',
      type: 'application/apply-patch+yaml',
      body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } },
    });
  });

  test('delete sends its preconditions', async () => {
    const { client, sent } = await echo();
    await client.delete(Widget, 'a', { propagationPolicy: 'Foreground', preconditions: { uid: 'u' } });
    expect(sent()).toMatchObject({
      method: 'DELETE',
      path: '/apis/example.com/v1/widgets/a',
      body: { kind: 'DeleteOptions', propagationPolicy: 'Foreground', preconditions: { uid: 'u' } },
    });
  });

  test('delete also deletes owned objects by default, as kubectl does', async () => {
    const { client, sent } = await echo();
    await client.delete(Widget, 'a');
    expect(sent()).toMatchObject({ body: { kind: 'DeleteOptions', propagationPolicy: 'Background' } });
  });

  test('an integer beyond 2^53 comes back as it was', async () => {
    const big = { metadata: { name: 'a' }, spec: 9007199254740993n };
    const { client, server } = await echo();
    await client.update(Widget, big);
    expect(server.requests[0]?.body).toContain('"spec":9007199254740993}');
  });

  test.each([
    ['get', (client: Awaited<ReturnType<typeof echo>>['client']) => client.get(ConfigMap, 'a')],
    ['delete', (client: Awaited<ReturnType<typeof echo>>['client']) => client.delete(ConfigMap, 'a')],
    ['create', (client: Awaited<ReturnType<typeof echo>>['client']) => client.create(ConfigMap, { metadata: {} })],
  ])('%s of a namespaced kind without a namespace is not sent', async (_what, act) => {
    const { client, server } = await echo();
    await expect(act(client)).rejects.toThrow('a namespace is required for ConfigMap');
    expect(server.requests).toEqual([]);
  });
});

describe('list', () => {
  const items = [{ metadata: { name: 'a', managedFields: [{}] }, data: {} }];

  test('list sets apiVersion and kind of its items and drops managedFields', async () => {
    const { client } = await echo({ metadata: { resourceVersion: '5' }, items });
    const list = await client.list(ConfigMap);
    expect(list.resourceVersion).toBe('5');
    expect(JSON.stringify(list.items)).toBe(
      '[{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{}}]',
    );
  });

  test('list keeps managedFields on request', async () => {
    const { client } = await echo({ metadata: {}, items });
    const [item] = (await client.list(ConfigMap, { keepManagedFields: true })).items;
    expect(item?.metadata).toEqual({ name: 'a', managedFields: [{}] });
  });

  test('list requests the next page with the continue token only', async () => {
    const pages = [
      { metadata: { continue: 't' }, items: [] },
      { metadata: {}, items: [] },
    ];
    const server = await scripted((_request, socket) => socket.write(json(pages.shift())));
    const options = { labelSelector: 'a=b', resourceVersion: '7', resourceVersionMatch: 'NotOlderThan' };
    await clientOf(server).list(ConfigMap, options);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/api/v1/configmaps?labelSelector=a%3Db&resourceVersion=7&resourceVersionMatch=NotOlderThan&limit=500',
      '/api/v1/configmaps?labelSelector=a%3Db&limit=500&continue=t',
    ]);
  });

  test('list passes each object to transform before it requests the next page', async () => {
    const log: string[] = [];
    const pages = [
      { metadata: { resourceVersion: '5', continue: 't' }, items },
      { metadata: {}, items },
    ];
    const server = await scripted((_request, socket) => {
      log.push('request');
      socket.write(json(pages.shift()));
    });
    const list = await clientOf(server).list(ConfigMap, {
      transform: (item) => {
        log.push(JSON.stringify(item));
        return { ...item, metadata: { name: String(log.length) } };
      },
    });
    const received = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{}}';
    expect(log).toEqual(['request', received, 'request', received]);
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['2', '4']);
    expect(list.resourceVersion).toBe('5');
  });

  test('list repeats a later page in place, even without retries', async () => {
    const busy = failure(429, 'TooManyRequests', 'busy');
    const answers = [json({ metadata: { continue: 't' }, items }), busy, json({ metadata: {}, items })];
    const server = await scripted((_request, socket) => socket.write(answers.shift() ?? ''));
    const client = clientOf(server, {}, { clock: new HastyClock() });
    expect((await client.list(ConfigMap, { retries: 0 })).items).toHaveLength(2);
    expect(server.requests.map(({ path }) => path.includes('continue=t'))).toEqual([false, true, true]);
  });

  test('list requests a page that does not arrive completely in time in smaller parts', async () => {
    const cut = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"items": [';
    const server = await scripted(({ path }, socket) =>
      socket.write(path.includes('limit=500') ? cut : json({ metadata: {}, items })),
    );
    expect((await clientOf(server).list(ConfigMap, { timeout: 200 })).items).toHaveLength(1);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/api/v1/configmaps?limit=500',
      '/api/v1/configmaps?limit=125',
    ]);
  });

  test.each([[null], ['text'], [{}], [{ metadata: null }]])('a list with the item %j is rejected', async (item) => {
    const server = await scripted((_request, socket) => socket.write(json({ metadata: {}, items: [item] })));
    await expect(clientOf(server).list(ConfigMap)).rejects.toMatchObject({ code: 'E_RESPONSE' });
  });

  test('list starts again without pages when the continue token has expired', async () => {
    const gone = failure(410, 'Expired', 'the token is too old');
    const answers = [json({ metadata: { continue: 't' }, items }), gone, json({ metadata: {}, items })];
    const server = await scripted((_request, socket) => socket.write(answers.shift() ?? ''));
    expect((await clientOf(server).list(ConfigMap)).items).toHaveLength(1);
    expect(server.requests[2]?.path).toBe('/api/v1/configmaps');
  });

  test('list does not exceed the given number of retries', async () => {
    const server = await scripted((_request, socket) => socket.write(failure(500, 'InternalError', 'no leader')));
    const client = clientOf(server, {}, { clock: new HastyClock() });
    await expect(client.list(ConfigMap, { retries: 0 })).rejects.toThrow('no leader');
    await expect(client.list(ConfigMap, { retries: 2 })).rejects.toThrow('no leader');
    expect(server.requests).toHaveLength(1 + 3);
  });
});

describe('a response with status 200 that is not an object', () => {
  const html = '<html>Down for maintenance</html>';
  const page = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${String(html.length)}\r\n\r\n${html}`;

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['get', (client) => client.get(ConfigMap, 'a', NS)],
    ['list', (client) => client.list(ConfigMap)],
    ['create', (client) => client.create(ConfigMap, { metadata: { name: 'a', ...NS } })],
    ['update', (client) => client.update(ConfigMap, { metadata: { name: 'a', ...NS } })],
    ['patch', (client) => client.patch(ConfigMap, 'a', {}, NS)],
    ['apply', (client) => client.apply(ConfigMap, { metadata: { name: 'a', ...NS } })],
    ['delete', (client) => client.delete(ConfigMap, 'a', NS)],
    ['serves', (client) => client.serves(Widget)],
  ])('a response with status 200 that is not an object is an error of %s', async (_, call) => {
    for (const response of [page, json('text'), json([]), json(null)]) {
      const server = await scripted((_request, socket) => socket.write(response));
      await expect(call(clientOf(server))).rejects.toMatchObject({
        code: 'E_RESPONSE',
        message: expect.stringMatching(/^[A-Z]+ \/api.*: the response is not a JSON object$/),
      });
    }
  });

  test('a response with status 200 that is not an object is returned by request', async () => {
    const server = await scripted((_request, socket) => socket.write(page));
    expect(await clientOf(server).request({ method: 'GET', path: '/' })).toBe(html);
  });
});

describe('serves', () => {
  test.each([
    [{ resources: [{ name: 'widgets' }, { name: 'widgets/status' }] }, true],
    [{ resources: [{ name: 'gadgets' }] }, false],
  ])('client.serves searches for the resource in %j and returns %s', async (answer, expected) => {
    const { client, server } = await echo(answer);
    expect(await client.serves(Widget)).toBe(expected);
    expect(server.requests[0]?.path).toBe('/apis/example.com/v1');
  });

  test('client.serves returns false for a group that does not exist', async () => {
    const server = await scripted((_request, socket) => socket.write(failure(404, 'NotFound', 'no')));
    expect(await clientOf(server).serves(Widget)).toBe(false);
  });
});

test("a client logs a warning when it does not verify the server's certificate", async () => {
  const server = await scripted(() => undefined);
  const warnings: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) };
  clientOf(server, { tls: { insecureSkipVerify: true } }, { logger });
  expect(warnings).toEqual(['the certificate of the API server is not verified']);
});
