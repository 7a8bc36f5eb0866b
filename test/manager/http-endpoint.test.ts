import { afterEach, describe, expect, test } from '@jest/globals';
import { type HttpEndpoint, listen, parseBindAddress } from '../../src/manager/http-endpoint.js';

describe('parseBindAddress', () => {
  test.each([
    [':8080', { host: undefined, port: 8080 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['[::1]:8081', { host: '::1', port: 8081 }],
    ['localhost:65535', { host: 'localhost', port: 65_535 }],
    ['0', undefined],
  ])('reads %s', (address, parsed) => {
    expect(parseBindAddress(address)).toEqual(parsed);
  });

  test.each(['', '8080', ':65536', ':http', '::1:80', 'host:', 'http://host:80'])('refuses %j', (address) => {
    expect(() => parseBindAddress(address)).toThrow(/is not host:port/);
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
  ])('answers %s %s with %i', async (path, method, status) => {
    endpoint = await listen('127.0.0.1:0', routes);
    const response = await ask(path, method);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('secret');
  });

  test('serves nothing at 0', async () => {
    expect(await listen('0', routes)).toBeUndefined();
  });

  test('a port that is taken is named in the error', async () => {
    endpoint = await listen('127.0.0.1:0', routes);
    await expect(listen(endpoint!.address, routes)).rejects.toThrow(/cannot listen on .*EADDRINUSE/);
  });

  test('closes although a connection is kept alive', async () => {
    const short = await listen('127.0.0.1:0', routes);
    await (await fetch(`http://${short!.address}/ok`)).text();
    await short!.close();
    await expect(fetch(`http://${short!.address}/ok`)).rejects.toThrow();
  });
});
