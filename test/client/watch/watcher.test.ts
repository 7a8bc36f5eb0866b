import { describe, expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../src/testing/eventually.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { GoneError, TooManyRequestsError } from '../../../src/client/api-error.js';
import type { WatchOptions } from '../../../src/client/client-options.js';
import { WatchError } from '../../../src/client/watch-error.js';
import { chunk, failure, json, STREAM_END, STREAM_HEAD } from '../scripted-server.js';
import { clientOf, ConfigMap, scripted, until } from '../test-client.js';

function event(name: string, type = 'ADDED'): string {
  return `${JSON.stringify({ type, object: { metadata: { name, uid: 'u', resourceVersion: '7' } } })}\n`;
}

/** Watches a scripted server, and records the names of the received objects. */
async function watch(script: (socket: Socket) => void, options: WatchOptions = {}, clock = new FakeClock()) {
  const server = await scripted((_request, socket) => {
    script(socket);
  });
  const names: string[] = [];
  const client = clientOf(server, {}, { clock });
  const ended = client.streamWatch(ConfigMap, options, (_type, { metadata }) => names.push(metadata.name));
  const outcome = ended.catch((error: unknown) => error);
  return { server, client, names, ended, outcome, clock };
}

describe('a watch', () => {
  test('a watch passes events on and resolves when the server ends the stream', async () => {
    const { ended, names } = await watch((socket) =>
      socket.write(STREAM_HEAD + chunk(event('a') + event('b')) + STREAM_END),
    );
    await ended;
    expect(names).toEqual(['a', 'b']);
  });

  test('a watch requests bookmarks and the given options', async () => {
    const selection = { namespace: 'ns', labelSelector: { matchLabels: { a: 'b' } }, fieldSelector: 'metadata.name=x' };
    const options = { ...selection, resourceVersion: '7', timeoutSeconds: 300, sendInitialEvents: true };
    const { server, ended } = await watch((socket) => socket.write(STREAM_HEAD + STREAM_END), options);
    await ended;
    expect(server.requests[0]?.path).toBe(
      '/api/v1/namespaces/ns/configmaps?watch=true&allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=300' +
        '&sendInitialEvents=true&labelSelector=a%3Db&fieldSelector=metadata.name%3Dx',
    );
  });

  test('onOpen is called when the server has accepted the watch, before any event', async () => {
    let isOpen = false;
    const { names } = await watch((socket) => socket.write(STREAM_HEAD), { onOpen: () => (isOpen = true) });
    await until(() => isOpen);
    expect(names).toEqual([]);
  });

  test('a watch passes the same events on wherever their bytes are cut', async () => {
    const bytes = Buffer.from(STREAM_HEAD + chunk(event('ä🚀')) + chunk('\r\n') + chunk(event('b')) + STREAM_END);
    const { ended, names } = await watch((socket) => {
      socket.setNoDelay(true);
      void (async () => {
        for (const byte of bytes) {
          socket.write(Buffer.of(byte));
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
    });
    await ended;
    expect(names).toEqual(['ä🚀', 'b']);
  });

  test('an event with a missing end is not passed on', async () => {
    const { outcome, names } = await watch((socket) =>
      socket.end(STREAM_HEAD + chunk(event('a') + event('b').slice(0, -2))),
    );
    expect(await outcome).toMatchObject({ reason: 'reset' });
    expect(names).toEqual(['a']);
  });

  test('a watch ends at a malformed line, and nothing after it is passed on', async () => {
    const { outcome, names } = await watch((socket) =>
      socket.write(STREAM_HEAD + chunk(`${event('a')}{"type":"ADDED","object"\n${event('b')}`)),
    );
    expect(await outcome).toBeInstanceOf(WatchError);
    expect(names).toEqual(['a']);
  });

  test('a watch ends with the error of an ERROR event, and closes the connection', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', code: 410, reason: 'Expired', message: 'too old' };
    const { server, outcome } = await watch((socket) =>
      socket.write(STREAM_HEAD + chunk(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)),
    );
    expect(await outcome).toBeInstanceOf(GoneError);
    await eventually(() => {
      expect(server.open).toBe(0);
    });
  });

  test('a rejected watch fails immediately with the reason, without a retry', async () => {
    const busy = failure(429, 'TooManyRequests', 'busy', 'Retry-After: 2\r\n');
    const { server, outcome } = await watch((socket) => socket.write(busy));
    expect(await outcome).toMatchObject({ constructor: TooManyRequestsError, retryAfterMs: 2000 });
    expect(server.requests).toHaveLength(1);
  });

  test('a watch rejects with the error of its handler', async () => {
    const server = await scripted((_request, socket) => socket.write(STREAM_HEAD + chunk(event('a'))));
    const boom = new Error('boom');
    const ended = clientOf(server).streamWatch(ConfigMap, {}, () => {
      throw boom;
    });
    await expect(ended).rejects.toBe(boom);
  });

  test('an abort ends a watch with its reason', async () => {
    const abort = new AbortController();
    const { outcome, names } = await watch((socket) => socket.write(STREAM_HEAD + chunk(event('a'))), {
      signal: abort.signal,
    });
    await until(() => names.length > 0);
    abort.abort(new Error('enough'));
    expect(await outcome).toMatchObject({ message: 'enough' });
  });

  test('a watch has no idle limit by default', async () => {
    let isOpen = false;
    const { clock, names } = await watch(
      (socket) => {
        socket.write(STREAM_HEAD);
        setTimeout(() => socket.write(chunk(event('late'))), 20);
      },
      { onOpen: () => (isOpen = true) },
    );
    await until(() => isOpen);
    await clock.advance(3_600_000);
    await until(() => names.length > 0);
  });

  test('a watch that is idle for longer than its limit ends', async () => {
    let isOpen = false;
    const { clock, outcome } = await watch((socket) => socket.write(STREAM_HEAD), {
      inactivityTimeout: 70_000,
      onOpen: () => (isOpen = true),
    });
    await until(() => isOpen);
    await clock.advance(70_000);
    expect(await outcome).toMatchObject({
      code: 'E_WATCH',
      reason: 'idle',
      message: 'the watch of configmaps was idle for 70 s',
    });
  });

  test('a watch that ends as idle closes the idle connections of other requests, which may be dead too', async () => {
    let isOpen = false;
    const script = ({ path }: { path: string }, socket: Socket) =>
      void socket.write(path.includes('watch') ? STREAM_HEAD : json({}));
    const server = await scripted(script);
    const clock = new FakeClock();
    const client = clientOf(server, {}, { clock });
    await client.request({ method: 'GET', path: '/x' });
    const stop = new AbortController();
    const options = { signal: stop.signal, onOpen: () => (isOpen = true) };
    const outcome = client.streamWatch(ConfigMap, options, () => undefined).catch((error: unknown) => error);
    await until(() => isOpen);
    await client.request({ method: 'GET', path: '/x' });
    expect(server.connections).toBe(2);
    stop.abort(new WatchError('dead', 'idle'));
    expect(await outcome).toMatchObject({ reason: 'idle' });
    await client.request({ method: 'GET', path: '/x' });
    expect(server.connections).toBe(3);
  });

  test('bytes that contain no complete event do not keep a watch alive', async () => {
    let arrived = 0;
    const { clock, outcome, server } = await watch(
      (socket) => {
        socket.write(STREAM_HEAD);
        void (async () => {
          for (const letter of event('never-ending')) {
            await delay(1);
            socket.write(chunk(letter === '\n' ? ' ' : letter));
            arrived++;
          }
        })();
      },
      { inactivityTimeout: 1000 },
    );
    await until(() => arrived > 20);
    await clock.advance(1000);
    expect(await outcome).toMatchObject({ reason: 'idle' });
    expect(server.requests).toHaveLength(1);
  });

  test('a watch that the server does not accept in time ends', async () => {
    const { server, clock, outcome } = await watch(() => undefined, { timeout: 30_000 });
    await until(() => server.requests.length > 0);
    await clock.advance(30_000);
    expect(await outcome).toMatchObject({ reason: 'timeout' });
  });

  test('the connection of a watch that ended serves the next watch', async () => {
    const { server, client, ended } = await watch((socket) => socket.write(STREAM_HEAD + STREAM_END));
    await ended;
    await client.streamWatch(ConfigMap, {}, () => undefined);
    expect(server.connections).toBe(1);
  });

  test('a watch does not reduce the number of connections for requests', async () => {
    const server = await scripted(({ path }, socket) => socket.write(path.includes('watch') ? STREAM_HEAD : json({})));
    const client = clientOf(server);
    const watches = Array.from({ length: 70 }, () => client.streamWatch(ConfigMap, {}, () => undefined));
    const ended = Promise.allSettled(watches);
    expect(await client.request({ method: 'GET', path: '/x' })).toEqual({});
    client.close();
    await ended;
  });
});

describe('for await of a watch', () => {
  test('for await of a watch yields events until the server ends the stream', async () => {
    const server = await scripted((_request, socket) =>
      socket.write(STREAM_HEAD + chunk(event('a') + event('b', 'DELETED')) + STREAM_END),
    );
    const seen: string[] = [];
    for await (const { type, object } of clientOf(server).watch(ConfigMap))
      seen.push(`${type} ${object.metadata.name}`);
    expect(seen).toEqual(['ADDED a', 'DELETED b']);
  });

  test('for await of a watch throws the error that ends the stream, after the events before it', async () => {
    const server = await scripted((_request, socket) => socket.end(STREAM_HEAD + chunk(event('a'))));
    const seen: string[] = [];
    const act = async () => {
      for await (const { object } of clientOf(server).watch(ConfigMap)) seen.push(object.metadata.name);
    };
    await expect(act()).rejects.toMatchObject({ reason: 'reset' });
    expect(seen).toEqual(['a']);
  });

  test('leaving the loop ends the watch', async () => {
    const server = await scripted((_request, socket) => socket.write(STREAM_HEAD + chunk(event('a'))));
    for await (const { object } of clientOf(server).watch(ConfigMap)) if (object.metadata.name === 'a') break;
    await eventually(() => {
      expect(server.open).toBe(0);
    });
  });

  test('a slow loop over a watch makes the server wait', async () => {
    const part = chunk(event('x'.repeat(2000)).repeat(500));
    let written = 0;
    const server = await scripted((_request, socket) => {
      const write = (): void => {
        if (written++ < 40) socket.write(part, write);
        else socket.write(STREAM_END);
      };
      socket.write(STREAM_HEAD, write);
    });
    let count = 0;
    for await (const { type } of clientOf(server).watch(ConfigMap)) {
      if (++count === 1) expect(await settled(() => written)).toBeLessThan(40);
      expect(type).toBe('ADDED');
    }
    expect(count).toBe(20_000);
  });
});

/** The value once it no longer changes. */
async function settled(read: () => number): Promise<number> {
  let last = NaN;
  while (last !== read()) {
    last = read();
    await delay(100);
  }
  return last;
}
