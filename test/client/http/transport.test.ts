import { describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { eventually } from '../../../src/testing/eventually.js';
import { Secret } from '../../../src/client/secret.js';
import { chunk, failure, json, STREAM_END, STREAM_HEAD } from '../scripted-server.js';
import { clientOf, HastyClock, scripted } from '../test-client.js';

const GET = { method: 'GET', path: '/x' };

describe('requests', () => {
  test('50 consecutive requests use one connection', async () => {
    const server = await scripted((_request, socket) => socket.write(json({})));
    const client = clientOf(server);
    for (let index = 0; index < 50; index++) await client.request(GET);
    expect(server.connections).toBe(1);
  });

  test('simultaneous requests have a connection each, which later requests use again', async () => {
    const server = await scripted((_request, socket) => socket.write(json({})));
    const client = clientOf(server);
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 5 }, () => client.request(GET)));
    expect(server.connections).toBeLessThanOrEqual(5);
  });

  test('a request contains the path of the server, the query and the credentials', async () => {
    const server = await scripted((_request, socket) => socket.write(json({})));
    const auth = { token: new Secret('t0ken') };
    const client = clientOf(server, { server: new URL('/k8s/clusters/c-1/', server.url), auth });
    await client.request({ ...GET, query: { a: 1 } });
    expect(server.requests[0]).toMatchObject({
      path: '/k8s/clusters/c-1/x?a=1',
      headers: { authorization: 'Bearer t0ken', 'user-agent': 'kindwright', host: server.url.host },
    });
  });

  test('a request contains the impersonated user', async () => {
    const server = await scripted((_request, socket) => socket.write(json({})));
    const impersonate = { user: 'bob', uid: '7', groups: ['dev'], extra: new Map([['example.com/a', ['b']]]) };
    await clientOf(server, { auth: { impersonate } }).request(GET);
    expect(server.requests[0]?.headers).toMatchObject({
      'impersonate-user': 'bob',
      'impersonate-uid': '7',
      'impersonate-group': 'dev',
      'impersonate-extra-example.com%2fa': 'b',
    });
  });

  test('a redirect is not followed', async () => {
    const elsewhere = await scripted((_request, socket) => socket.write(json({})));
    const answer = `HTTP/1.1 302 Found\r\nLocation: ${elsewhere.url.href}\r\nContent-Length: 0\r\n\r\n`;
    const server = await scripted((_request, socket) => socket.write(answer));
    await expect(clientOf(server).request(GET)).rejects.toMatchObject({ status: 302 });
    expect(elsewhere.requests).toEqual([]);
  });

  test('a path with a line break cannot split a request', async () => {
    const server = await scripted((_request, socket) => socket.write(json({})));
    const path = '/x HTTP/1.1\r\nHost: evil\r\n\r\n';
    await expect(clientOf(server).request({ method: 'GET', path })).rejects.toThrow(
      'cannot be part of an HTTP request',
    );
    expect(server.requests).toEqual([]);
  });

  test('the content length of a request is in bytes, not in characters', async () => {
    const server = await scripted((_request, socket) => socket.write(json({})));
    await clientOf(server).request({ method: 'POST', path: '/x', body: { a: 'é🚀' } });
    expect(Buffer.from(server.requests[0]?.body ?? '', 'latin1').toString()).toBe('{"a":"é🚀"}');
  });
});

describe('a malformed response', () => {
  const TWO_LENGTHS = 'HTTP/1.1 200 X\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\n{}';

  test('a response with two different lengths is an error, and closes the connection', async () => {
    const server = await scripted((_request, socket) => socket.write(TWO_LENGTHS));
    await expect(clientOf(server).request({ ...GET, retries: 0 })).rejects.toMatchObject({ reason: 'protocol' });
    await eventually(() => {
      expect(server.open).toBe(0);
    });
  });

  test.each([
    ['a length and chunks', `${STREAM_HEAD.slice(0, -2)}Content-Length: 1\r\n\r\n${chunk('{"a":1}')}${STREAM_END}`],
    ['close among other connection options', json({ a: 1 }, 200, 'Connection: keep-alive, close\r\n')],
    ['a line break after its end', `${json({ a: 1 })}\r\n`],
  ])('a response with %s is complete, and its connection is not used again', async (_what, text) => {
    const server = await scripted((_request, socket) => socket.write(text));
    const client = clientOf(server);
    for (let index = 0; index < 2; index++) expect(await client.request({ ...GET, retries: 0 })).toEqual({ a: 1 });
    expect(server.connections).toBe(2);
  });
});

describe('a connection that is lost', () => {
  test('a read on a lost connection is repeated on a new one', async () => {
    const server = await scripted(({ connection }, socket) => {
      if (connection === 1) socket.destroy();
      else socket.write(json({ a: 1 }));
    });
    expect(await clientOf(server, {}, { clock: new HastyClock() }).request(GET)).toEqual({ a: 1 });
  });

  test('a lost connection is an error for a write, because it may have been done', async () => {
    const server = await scripted((_request, socket) => socket.destroy());
    const write = clientOf(server).request({ method: 'POST', path: '/x', body: {} });
    await expect(write).rejects.toMatchObject({ reason: 'reset', host: server.url.host });
    expect(server.requests).toHaveLength(1);
  });

  test('a connection that is lost in the middle of a body is an error', async () => {
    const server = await scripted((_request, socket) => socket.end(json({ a: 1 }).slice(0, -1)));
    await expect(clientOf(server).request({ ...GET, retries: 0 })).rejects.toThrow('closed in the middle');
  });

  test('a connection that is lost while idle is replaced for the next request', async () => {
    const server = await scripted((_request, socket) => socket.end(json({})));
    const client = clientOf(server);
    await client.request(GET);
    await eventually(() => {
      expect(server.open).toBe(0);
    });
    await client.request({ ...GET, retries: 0 });
    expect(server.connections).toBe(2);
  });
});

test('a response that arrives while the event loop is blocked is not a time-out', async () => {
  let blockMs = 0;
  const server = await scripted((_request, socket) => {
    socket.write(json({ is: 'here' }));
    for (const until = performance.now() + blockMs; performance.now() < until;);
  });
  const client = clientOf(server);
  await client.request(GET);
  blockMs = 600;
  expect(await client.request({ ...GET, timeout: 500, retries: 0 })).toEqual({ is: 'here' });
  expect(server.connections).toBe(1);
});

test.each([
  ['method', { method: 'GET /y HTTP/1.1\r\nX: y' }],
  ['method', { method: 'GET /y' }],
  ['path', { path: '/x HTTP/1.0' }],
  ['path', { path: 'x' }],
  ['path', { path: '' }],
  ['contentType', { contentType: 'a\r\nX: y', body: {} }],
  ['accept', { accept: 'a\r\nX: y' }],
])('a %s that would change the request, or make it invalid, is rejected: %j', async (_, change) => {
  const server = await scripted((_request, socket) => socket.write(json({})));
  await expect(clientOf(server).request({ ...GET, ...change })).rejects.toMatchObject({ code: 'E_REQUEST' });
  expect(server.requests).toEqual([]);
});

describe('an answer', () => {
  test('Retry-After is honored, for writes too', async () => {
    const answers = [failure(429, 'TooManyRequests', 'busy', 'Retry-After: 3\r\n'), json({ a: 1 })];
    const server = await scripted((_request, socket) => socket.write(answers.shift() ?? ''));
    const clock = new HastyClock();
    const write = clientOf(server, {}, { clock }).request({ method: 'POST', path: '/x', body: {} });
    expect(await write).toEqual({ a: 1 });
    expect(clock.delays).toContain(3000);
  });

  test('an HTML response of a proxy is an ApiError like others', async () => {
    const page = 'HTTP/1.1 502 X\r\nContent-Type: text/html\r\nContent-Length: 23\r\n\r\n<h1>Bad  Gateway</h1>\r\n';
    const server = await scripted((_request, socket) => socket.write(page));
    const request = clientOf(server).request({ ...GET, retries: 0 });
    await expect(request).rejects.toThrow('GET /x returned status 502: Bad Gateway');
  });

  test('a response that declares JSON but is not JSON is an error that does not contain its text', async () => {
    const broken = 'HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{s3cret';
    const server = await scripted((_request, socket) => socket.write(broken));
    const error = await clientOf(server)
      .request(GET)
      .catch((reason: unknown) => reason);
    expect(inspect(error)).toContain('GET /x: the response is not valid JSON');
    expect(inspect(error)).not.toContain('s3cret');
  });

  test('a response that is not HTTP has a hint to check the address', async () => {
    const server = await scripted((_request, socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n\r\n'));
    const request = clientOf(server).request({ ...GET, retries: 0 });
    await expect(request).rejects.toMatchObject({
      reason: 'protocol',
      hint: 'check that this is the address of a Kubernetes API server',
    });
  });

  test('responses are counted by code, method and host', async () => {
    const counted: string[] = [];
    const metrics = { request: (...labels: string[]) => counted.push(labels.join(' ')) };
    const server = await scripted(({ path }, socket) => {
      if (path === '/x') socket.write(json({}));
      else socket.destroy();
    });
    const client = clientOf(server, {}, { metrics });
    await client.request(GET);
    await client.request({ method: 'PUT', path: '/y' }).catch(() => undefined);
    expect(counted).toEqual([`200 GET ${server.url.host}`, `<error> PUT ${server.url.host}`]);
  });
});

test('neither a printed client nor its errors contain a secret', async () => {
  const server = await scripted((_request, socket) => socket.write(failure(403, 'Forbidden', 'no')));
  const auth = { token: new Secret('s3cret-token'), basic: { username: 'u', password: new Secret('s3cret-password') } };
  const client = clientOf(server, { auth });
  const error: unknown = await client.request(GET).catch((reason: unknown) => reason);
  await delay(0);
  expect(inspect([client, error], { depth: Infinity, showHidden: true })).not.toContain('s3cret');
});

test('credentials are not printed with a client that waits for a response', async () => {
  const server = await scripted(() => undefined);
  const client = clientOf(server, { auth: { token: new Secret('s3cret-token') } });
  const abort = new AbortController();
  const outcome = client.request({ ...GET, signal: abort.signal }).catch((reason: unknown) => reason);
  await eventually(() => {
    expect(server.requests).toHaveLength(1);
  });
  expect(inspect(client, { depth: Infinity, showHidden: true })).not.toContain('s3cret');
  abort.abort(new Error('enough'));
  expect(await outcome).toBe(abort.signal.reason);
});
