import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:tls';
import { requestTarget } from '../../../../src/apiserver/transport/request/request-target.js';
import { CONFIG_MAPS, configMap, TestServer } from '../../api-client.js';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

test.each([
  ['/a?b=1&c=?', '/a', 'b=1&c=%3F'],
  ['https://127.0.0.1:6443/a?b', '/a', 'b='],
  ['//[', '//[', ''],
  ['*', '*', ''],
  ['/a/../b', '/a/../b', ''],
])('the target %s is a path and a query', (text, path, query) => {
  const target = requestTarget(text);
  expect([target.path, target.query.toString()]).toEqual([path, query]);
});

/** Returns the first line of the response to a raw request. */
function statusOf(request: string): Promise<string> {
  const { port, host } = new URL(api.server.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', ca: api.server.caPem, servername: 'localhost' });
    socket.on('error', reject);
    socket.once('data', (data: Buffer) => {
      resolve(data.toString().split('\r\n', 1)[0] ?? '');
      socket.destroy();
    });
    socket.write(`${request}\r\nHost: ${host}\r\nAuthorization: Bearer ${api.server.token}\r\n\r\n`);
  });
}

describe('the server', () => {
  test.each([
    ['GET //[ HTTP/1.1', '404 Not Found'],
    ['OPTIONS * HTTP/1.1', '404 Not Found'],
    ['GET /%zz HTTP/1.1', '400 Bad Request'],
  ])('the server continues after the request %s', async (line, status) => {
    expect(await statusOf(line)).toBe(`HTTP/1.1 ${status}`);
  });

  test('the server accepts a long URL', async () => {
    expect((await api.send('GET', `${CONFIG_MAPS}?labelSelector=${'a,'.repeat(20_000)}a`)).code).toBe(200);
  });

  test('the error for a request that is too large contains the limit', async () => {
    const { code, body } = await api.send('POST', CONFIG_MAPS, configMap('big', { data: 'a'.repeat(5_000_000) }));
    expect([code, body.reason]).toEqual([413, 'RequestEntityTooLarge']);
  });

  test.each([
    ['HEAD', '/api/v1/namespaces/default'],
    ['OPTIONS', CONFIG_MAPS],
    ['POST', '/version'],
    ['HEAD', '/apis/apps/v1'],
  ])('the server rejects %s %s', async (method, path) => {
    expect((await api.send(method, path)).code).toBe(405);
  });

  test('the server lists its paths', async () => {
    const { body } = await api.send('GET', '/');
    expect(body.paths).toEqual(expect.arrayContaining(['/apis/apps', '/apis/apps/v1', '/readyz']));
  });
});
