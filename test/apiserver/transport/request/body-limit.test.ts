import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { text } from 'node:stream/consumers';
import { FakeClock } from '../../../../src/base/fake-clock.js';
import { CONFIG_MAPS, configMap, TestServer } from '../../api-client.js';

let clock: FakeClock;
let api: TestServer;
beforeEach(async () => {
  clock = new FakeClock(Date.now());
  api = await TestServer.start({ clock });
});
afterEach(() => api.stop());

const body = JSON.stringify(configMap('a'));

/** Sends a POST with a part of its body. */
async function begin(token: string): Promise<TLSSocket> {
  const { hostname, port } = new URL(api.server.url);
  const socket = connect({ host: hostname, port: Number(port), ca: api.server.caPem, servername: 'localhost' });
  await once(socket, 'secureConnect');
  const headers = [
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write([`POST ${CONFIG_MAPS} HTTP/1.1`, `Host: ${hostname}`, ...headers, '', body.slice(0, 20)].join('\r\n'));
  // This request is received after the one above.
  await api.send('GET', '/version');
  return socket;
}

test('a connection ends when the body of a request is not sent in time', async () => {
  const socket = await begin(api.server.token);
  await clock.advance(59_000);
  expect(socket.destroyed).toBe(false);
  const received = text(socket);
  await clock.advance(1000);
  expect(await received).toMatch(
    /^HTTP\/1.1 504 Gateway Timeout\r\n[^]*request did not complete within the allotted timeout/,
  );
});

test('a connection ends when the body of a rejected request is not sent in time', async () => {
  const socket = await begin('wrong');
  const received = text(socket);
  await clock.advance(60_000);
  expect(await received).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n/);
});

test('a stream of HTTP/2 ends when the body of a request is not sent in time', async () => {
  const session = connectHttp2(api.server.url, { ca: api.server.caPem, servername: 'localhost' });
  const authorization = `Bearer ${api.server.token}`;
  const call = session.request({ ':method': 'POST', ':path': CONFIG_MAPS, authorization });
  call.write(body.slice(0, 20));
  expect(await text(session.request({ ':path': '/version', authorization }))).toContain('gitVersion');
  const response = once(call, 'response');
  await clock.advance(60_000);
  expect((await response)[0]).toMatchObject({ ':status': 504 });
  session.destroy();
});

test('a request whose body is complete is not limited', async () => {
  expect((await api.send('POST', CONFIG_MAPS, configMap('a'))).code).toBe(201);
  await clock.advance(120_000);
  expect((await api.send('GET', `${CONFIG_MAPS}/a`)).code).toBe(200);
});
