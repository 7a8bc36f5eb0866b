import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../../src/testing/eventually.js';
import { ConnectionError } from '../../../src/client/connection-error.js';
import { chunk, json, STREAM_HEAD } from '../scripted-server.js';
import { clientOf, scripted } from '../test-client.js';

const GET = { method: 'GET', path: '/x' };

describe('a server that does not answer', () => {
  test('is given up when time is up, and its idle connections with it', async () => {
    let isDead = false;
    const server = await scripted((_request, socket) => isDead || socket.write(json({})));
    const client = clientOf(server);
    await Promise.all([client.request(GET), client.request(GET)]);
    isDead = true;
    const late = client.request({ ...GET, timeoutMs: 20 });
    await expect(late).rejects.toThrow(`GET /x: no response from ${server.url.host} within 0.02 s`);
    await eventually(() => {
      expect(server.open).toBe(0);
    });
  });

  test('costs neither the requests that wait for a connection nor the connections of others', async () => {
    const answers: (() => void)[] = [];
    const server = await scripted(({ path }, socket) => {
      const answer = () => socket.write(json({}));
      if (path === '/slow') answers.push(answer);
      else answer();
    });
    const client = clientOf(server);
    // Occupies every connection of the pool, so that one more request has to wait.
    const slow = Array.from({ length: 64 }, () => client.request({ method: 'GET', path: '/slow', timeoutMs: 60_000 }));
    const mute = client.request({ method: 'GET', path: '/slow', timeoutMs: 1000 }).catch((error: unknown) => error);
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

  test('closes only connections that have received nothing since it was asked', async () => {
    const server = await scripted(({ path }, socket) => path === '/mute' || socket.write(json({})));
    const client = clientOf(server);
    let isLate = false;
    const late = client.request({ method: 'GET', path: '/mute', timeoutMs: 300 }).catch(() => (isLate = true));
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

  test('is given up in the middle of a body too', async () => {
    const server = await scripted((_request, socket) => socket.write(STREAM_HEAD + chunk('{"a":')));
    const late = clientOf(server).request({ ...GET, timeoutMs: 20 });
    await expect(late).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('is left by an abort, with its reason', async () => {
    const server = await scripted(() => undefined);
    const abort = new AbortController();
    const request = clientOf(server).request({ ...GET, signal: abort.signal });
    await eventually(() => {
      expect(server.requests).toHaveLength(1);
    });
    abort.abort(new Error('enough'));
    await expect(request).rejects.toThrow('enough');
  });

  test('is not asked at all when the signal was aborted before', async () => {
    const server = await scripted((_request, socket) => socket.write(json({})));
    const request = clientOf(server).request({ ...GET, signal: AbortSignal.abort(new Error('enough')) });
    await expect(request).rejects.toThrow('enough');
    expect(server.connections).toBe(0);
  });

  test('is named when it refuses the connection', async () => {
    const server = await scripted(() => undefined);
    const { host } = server.url;
    const client = clientOf(server);
    await server.stop();
    const error = await client.request({ ...GET, retries: 0 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ reason: 'refused', message: `cannot reach ${host}: connection refused` });
  });

  test('does not outlive the client', async () => {
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
