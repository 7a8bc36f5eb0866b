import { describe, expect, test } from '@jest/globals';
import { ConfigMap } from '../../../src/api/kinds/kinds.js';
import { eventually } from '../../../src/testing/eventually.js';
import { ConnectionError } from '../../../src/client/connection-error.js';
import { chunk, json, STREAM_HEAD } from '../scripted-server.js';
import { clientOf, scripted } from '../test-client.js';

const GET = { method: 'GET', path: '/x' };

test('time limits of calls are durations, and their name of earlier versions is an error', async () => {
  const server = await scripted((_request, socket) => socket.write(json({})));
  const client = clientOf(server);
  await client.request({ ...GET, timeout: '30s' });
  await expect(client.request({ ...GET, timeout: 'soon' })).rejects.toThrow('timeout soon is not a duration');
  const renamed = { code: 'E_RENAMED', hint: "write timeout: '30s'" };
  await expect(client.request({ ...GET, timeoutMs: 5 } as never)).rejects.toMatchObject(renamed);
  const options = { namespace: 'b', timeoutMs: 5 } as never;
  await expect(client.get(ConfigMap, 'a', options)).rejects.toMatchObject(renamed);
});

describe('a server that does not answer', () => {
  test('a request without a response times out, and idle connections to its server are closed', async () => {
    let isDead = false;
    const server = await scripted((_request, socket) => isDead || socket.write(json({})));
    const client = clientOf(server);
    await Promise.all([client.request(GET), client.request(GET)]);
    isDead = true;
    const late = client.request({ ...GET, timeout: 20 });
    await expect(late).rejects.toThrow(`GET /x: no response from ${server.url.host} within 0.02 s`);
    await eventually(() => {
      expect(server.open).toBe(0);
    });
  });

  test('a response that is not complete in time is reported as partial', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{';
    const server = await scripted((_request, socket) => socket.write(head));
    await expect(clientOf(server).request({ ...GET, timeout: 50 })).rejects.toMatchObject({
      reason: 'timeout',
      isPartial: true,
      message: `GET /x: no complete response from ${server.url.host} within 0.05 s`,
    });
  });

  test('a time-out affects neither requests that wait for a connection nor the connections of others', async () => {
    const answers: (() => void)[] = [];
    const server = await scripted(({ path }, socket) => {
      const answer = () => socket.write(json({}));
      if (path === '/slow') answers.push(answer);
      else answer();
    });
    const client = clientOf(server);
    // Occupies every connection of the pool, so that one more request has to wait.
    const slow = Array.from({ length: 64 }, () => client.request({ method: 'GET', path: '/slow', timeout: 60_000 }));
    const mute = client.request({ method: 'GET', path: '/slow', timeout: 1000 }).catch((error: unknown) => error);
    await eventually(() => {
      expect(answers).toHaveLength(64);
    });
    const error = await mute;
    expect(error).toMatchObject({
      reason: 'timeout',
      message: `GET /slow: no connection to ${server.url.host} within 1 s`,
    });
    for (const answer of answers) answer();
    await Promise.all(slow);
    expect(server.open).toBe(64);
    await client.request(GET);
    expect(server.connections).toBe(64);
  });

  test('a time-out closes only connections that have received nothing since the request was sent', async () => {
    const server = await scripted(({ path }, socket) => path === '/mute' || socket.write(json({})));
    const client = clientOf(server);
    let isLate = false;
    const late = client.request({ method: 'GET', path: '/mute', timeout: 300 }).catch(() => (isLate = true));
    await eventually(() => {
      expect(server.requests).toHaveLength(1);
    });
    await client.request(GET);
    await late;
    expect(isLate).toBe(true);
    const { connections } = server;
    await client.request(GET);
    expect(server.connections).toBe(connections);
  });

  test('a request times out in the middle of a body too', async () => {
    const server = await scripted((_request, socket) => socket.write(STREAM_HEAD + chunk('{"a":')));
    const late = clientOf(server).request({ ...GET, timeout: 20 });
    await expect(late).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('an abort ends a request with its reason', async () => {
    const server = await scripted(() => undefined);
    const abort = new AbortController();
    const request = clientOf(server).request({ ...GET, signal: abort.signal });
    await eventually(() => {
      expect(server.requests).toHaveLength(1);
    });
    abort.abort(new Error('enough'));
    await expect(request).rejects.toThrow('enough');
  });

  test('a request whose signal is already aborted is not sent', async () => {
    const server = await scripted((_request, socket) => socket.write(json({})));
    const request = clientOf(server).request({ ...GET, signal: AbortSignal.abort(new Error('enough')) });
    await expect(request).rejects.toThrow('enough');
    expect(server.connections).toBe(0);
  });

  test('the error of a refused connection names the server', async () => {
    const server = await scripted(() => undefined);
    const { host } = server.url;
    const client = clientOf(server);
    await server.stop();
    const error = await client.request({ ...GET, retries: 0 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ reason: 'refused', message: `cannot reach ${host}: connection refused` });
  });

  test('closing the client ends requests without a response', async () => {
    const server = await scripted(() => undefined);
    const client = clientOf(server);
    const request = client.request(GET);
    await eventually(() => {
      expect(server.requests).toHaveLength(1);
    });
    client.close();
    await expect(request).rejects.toMatchObject({ reason: 'closed' });
    await expect(client.request(GET)).rejects.toMatchObject({ reason: 'closed' });
  });
});
