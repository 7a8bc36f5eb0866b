import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { createServingIdentity } from '../../src/pki/certificate.js';
import { type HttpEndpoint, isLoopbackHost, listen, parseBindAddress } from '../../src/manager/http-endpoint.js';

describe('parseBindAddress', () => {
  test.each([
    [':8080', { host: undefined, port: 8080 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['[::1]:8081', { host: '::1', port: 8081 }],
    ['localhost:65535', { host: 'localhost', port: 65_535 }],
    ['0', undefined],
  ])('parseBindAddress accepts %s', (address, parsed) => {
    expect(parseBindAddress(address)).toEqual(parsed);
  });

  test.each(['', '8080', ':65536', ':http', '::1:80', 'host:', 'http://host:80'])(
    'parseBindAddress rejects %j',
    (address) => {
      expect(() => parseBindAddress(address)).toThrow(/is not host:port/);
    },
  );
});

describe('isLoopbackHost', () => {
  test.each(['localhost', 'LocalHost', '127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])(
    '%s is loopback',
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );

  test.each([
    undefined,
    '',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '127.0.0.1.example.com',
    'localhost.example.com',
    '::ffff:10.0.0.1',
  ])('%s is not loopback', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});

describe('listen', () => {
  let endpoint: HttpEndpoint | undefined;
  afterEach(() => endpoint?.close());
  const routes = {
    '/ok': () => ({ status: 200, text: 'fine\n' }),
    '/broken': () => {
      throw new Error('secret detail');
    },
  };
  const ask = (path: string, method = 'GET') => fetch(`http://${endpoint?.address ?? ''}${path}`, { method });

  test('a connection beyond the limit closes the one that is idle for the longest time', async () => {
    endpoint = await listen('127.0.0.1:0', routes);
    const port = Number(endpoint?.address.split(':')[1]);
    const idle: Socket[] = [];
    for (let count = 0; count < 200; count++) {
      const socket = connect(port, '127.0.0.1');
      idle.push(socket);
      await once(socket, 'connect');
    }
    const closed = once(idle[0] as Socket, 'close');
    expect((await ask('/ok')).status).toBe(200);
    await closed;
    expect(idle.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    for (const socket of idle) socket.destroy();
  });

  test('an HTTPS endpoint closes although a client never begins the handshake', async () => {
    const { certPem: cert, keyPem: key } = createServingIdentity(Date.now());
    const secure = await listen('127.0.0.1:0', routes, { cert, key });
    const silent = connect(Number(secure?.address.split(':')[1]), '127.0.0.1');
    await once(silent, 'connect');
    const ended = once(silent, 'close');
    await secure?.close();
    await ended;
  });

  test('routes ignore the query of a request', async () => {
    endpoint = await listen('127.0.0.1:0', routes);
    const response = await ask('/ok?verbose');
    expect([response.status, await response.text()]).toEqual([200, 'fine\n']);
  });

  test.each([
    ['/other', 'GET', 404],
    ['/toString', 'GET', 404],
    ['/ok', 'POST', 405],
    ['/ok', 'HEAD', 200],
    ['/broken', 'GET', 500],
  ])('an HTTP endpoint answers %s %s with %i', async (path, method, status) => {
    endpoint = await listen('127.0.0.1:0', routes);
    const response = await ask(path, method);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('secret');
  });

  test('a streamed answer follows the text as it is produced', async () => {
    const stream = new PassThrough();
    endpoint = await listen('127.0.0.1:0', { '/parts': () => ({ status: 200, text: 'one,', stream }) });
    const { body } = await ask('/parts');
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader.read()).toEqual({ done: false, value: 'one,' });
    stream.write('two');
    expect(await reader.read()).toEqual({ done: false, value: 'two' });
    stream.end();
    expect(await reader.read()).toMatchObject({ done: true });
  });

  test('the stream of an answer is destroyed when the client closes the connection', async () => {
    const stream = new PassThrough();
    endpoint = await listen('127.0.0.1:0', { '/parts': () => ({ status: 200, text: 'one,', stream }) });
    const closed = new Promise((resolve) => stream.once('close', resolve));
    const { body } = await ask('/parts');
    await body!.cancel();
    await closed;
    expect(stream.readableEnded).toBe(false);
  });

  test('a HEAD request destroys the stream of the answer', async () => {
    const stream = new PassThrough();
    endpoint = await listen('127.0.0.1:0', { '/parts': () => ({ status: 200, text: 'one,', stream }) });
    expect(await (await ask('/parts', 'HEAD')).text()).toBe('');
    expect(stream.destroyed).toBe(true);
  });

  test('the signal of a handler is aborted when the client closes the connection, not when it has the answer', async () => {
    let complete: AbortSignal | undefined;
    let aborted: Promise<unknown> | undefined;
    const client = new AbortController();
    endpoint = await listen('127.0.0.1:0', {
      '/ok': (_request, signal) => {
        complete = signal;
        return { status: 200, text: 'fine' };
      },
      '/slow': async (_request, signal) => {
        aborted = once(signal, 'abort');
        client.abort();
        await aborted;
        return { status: 200, text: 'late' };
      },
    });
    await (await ask('/ok')).text();
    await expect(fetch(`http://${endpoint!.address}/slow`, { signal: client.signal })).rejects.toThrow();
    await aborted;
    expect(aborted).toBeDefined();
    expect(complete?.aborted).toBe(false);
  });

  test('the bind address 0 serves nothing', async () => {
    expect(await listen('0', routes)).toBeUndefined();
  });

  test('the error of a port in use contains the address', async () => {
    endpoint = await listen('127.0.0.1:0', routes);
    await expect(listen(endpoint!.address, routes)).rejects.toThrow(/cannot listen on .*EADDRINUSE/);
  });

  test('an HTTP endpoint closes although a connection is kept alive', async () => {
    const short = await listen('127.0.0.1:0', routes);
    await (await fetch(`http://${short!.address}/ok`)).text();
    await short!.close();
    await expect(fetch(`http://${short!.address}/ok`)).rejects.toThrow();
  });
});
