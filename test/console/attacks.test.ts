import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { once } from 'node:events';
import { silentLogger } from '../../src/base/logger.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import { ConsoleServer, LOOPBACK } from '../../src/console/server/console-server.js';
import { LoopbackAccess } from '../../src/console/server/loopback-access.js';
import { PageFiles } from '../../src/console/server/page-files.js';
import { securityHeaders } from '../../src/console/server/security-headers.js';
import type { ConsoleRequest } from '../../src/console/server/server-access.js';

let server: ConsoleServer;
let access: LoopbackAccess;
let port: number;
let clock: FakeClock;
let answered: ConsoleRequest[];
beforeEach(async () => {
  clock = new FakeClock();
  answered = [];
  access = new LoopbackAccess(clock, (request) => {
    answered.push(request);
    return { status: 200, json: { ok: true } };
  });
  server = new ConsoleServer({ logger: silentLogger, files: new PageFiles('/absent'), access });
  await server.listen({ host: LOOPBACK, port: 0 });
  port = Number(new URL(server.origin).port);
});
afterEach(() => server.close());

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request as raw bytes and returns the status and the whole response. */
async function send({ method = 'GET', path = '/api/v1/hello', headers = {}, body = '' }: Sent) {
  const all = { host: `127.0.0.1:${port}`, connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const text = await raw([`${method} ${path} HTTP/1.1`, ...lines, ...length, '', body].join('\r\n'));
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

async function raw(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

const bodyOf = ({ text }: { readonly text: string }): string => text.slice(text.indexOf('\r\n\r\n'));
const bearer = () => ({ authorization: `Bearer ${access.token}` });

describe('the console refuses', () => {
  test.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil.example:PORT',
    '127.0.0.1.evil.example:PORT',
    'LOCALHOST:PORT@evil.example',
    '0.0.0.0:PORT',
    '',
  ])('the host "%s", which a web page could have given this address', async (host) => {
    const { status } = await send({ headers: { ...bearer(), host: host.replace('PORT', String(port)) } });
    expect(status).toBe(421);
    expect(answered).toEqual([]);
  });

  test('a request without a host', async () => {
    expect(await raw('GET / HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(await raw('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 421/);
  });

  test.each(['http://evil.example', 'https://127.0.0.1:PORT', 'null', 'http://127.0.0.1:1', 'file://', ''])(
    'the origin "%s"',
    async (origin) => {
      const headers = { ...bearer(), origin: origin.replace('PORT', String(port)) };
      expect((await send({ headers })).status).toBe(403);
      expect((await send({ path: '/', headers })).status).toBe(403);
      expect(answered).toEqual([]);
    },
  );

  test.each(['cross-site', 'same-site', 'anything'])('Sec-Fetch-Site %s', async (site) => {
    expect((await send({ headers: { ...bearer(), 'sec-fetch-site': site } })).status).toBe(403);
  });

  test('a request of another site for data, also with the token, and one for the page that is not a visit in a tab', async () => {
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const sent of [
      { path: '/api/v1/hello', headers: visit },
      { path: '/api/v1/stream', headers: visit },
      { path: '/main.js', headers: visit },
      { path: '/?t=x', headers: visit },
      { path: '/', method: 'POST', headers: visit },
      { path: '/', headers: { ...visit, origin: 'http://evil.example' } },
      { path: '/', headers: { ...visit, 'sec-fetch-dest': 'iframe' } },
      { path: '/', headers: { ...visit, 'sec-fetch-dest': 'embed' } },
      { path: '/', headers: { ...visit, 'sec-fetch-mode': 'no-cors' } },
      { path: '/', headers: { ...visit, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' } },
      { path: '/', headers: { 'sec-fetch-site': 'cross-site' } },
    ])
      expect((await send({ ...sent, headers: { ...bearer(), ...sent.headers } })).status).toBe(403);
    expect(answered).toEqual([]);
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('the method %s', async (method) => {
    expect((await send({ method, headers: bearer() })).status).toBe(405);
    expect(answered).toEqual([]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'a POST with content type "%s", which a form could send',
    async (type) => {
      const headers = { ...bearer(), 'content-type': type };
      expect((await send({ method: 'POST', path: '/api/v1/apply', headers, body: '{}' })).status).toBe(415);
      expect(answered).toEqual([]);
    },
  );

  test('a request without the token, with another one, or with the token elsewhere', async () => {
    const { token } = access;
    const flipped = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    for (const headers of [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${flipped}` },
      { authorization: `Bearer ${token}x` },
      { authorization: `Basic ${token}` },
      { cookie: `token=${token}` },
      { 'x-token': token },
    ])
      expect((await send({ headers })).status).toBe(401);
    expect((await send({ path: `/api/v1/hello?t=${token}` })).status).toBe(401);
    expect(answered).toEqual([]);
  });

  test('more than 10 wrong tokens in a second, but never the right one', async () => {
    const guess = () => send({ headers: { authorization: 'Bearer guess' } });
    for (let count = 0; count < 10; count++) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
    expect((await send({ headers: bearer() })).status).toBe(200);
    await clock.advance(1000);
    expect((await guess()).status).toBe(401);
  });

  test.each([
    '/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fpackage.json',
    '//etc/passwd',
    '/ui/../console.js',
    '/index.html/..',
    '/__proto__',
    'http://evil.example/',
  ])('the path %s', async (path) => {
    expect((await send({ path, headers: bearer() })).status).toBe(404);
  });

  test('a path that is not valid, and a URL that is too long', async () => {
    expect((await send({ path: '/api/v1/objects/%E0%A4%A', headers: bearer() })).status).toBe(400);
    expect((await send({ path: `/api/v1/${'a'.repeat(5000)}`, headers: bearer() })).status).toBe(400);
  });

  test('a body of more than 2 MB', async () => {
    const headers = { ...bearer(), 'content-type': 'application/json' };
    const body = 'x'.repeat(3 * 1024 * 1024);
    expect((await send({ method: 'POST', path: '/api/v1/apply', headers, body })).status).toBe(413);
  });

  test('two hosts, and header injection', async () => {
    const own = `host: 127.0.0.1:${port}`;
    expect(await raw(`GET / HTTP/1.1\r\n${own}\r\nhost: evil.example\r\nconnection: close\r\n\r\n`)).toMatch(/ 4\d\d /);
    const { text } = await send({ path: '/%0d%0aset-cookie:%20a=b' });
    expect(text.toLowerCase()).not.toContain('\nset-cookie');
  });
});

describe('the console answers', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]'])('its own host %s and origin', async (host) => {
    const own = `${host}:${port}`;
    const headers = { ...bearer(), host: own, origin: `http://${own}`, 'sec-fetch-site': 'same-origin' };
    expect((await send({ headers })).status).toBe(200);
  });

  test('the visit of a browser that comes from a link or the file of --open, with nothing but the page', async () => {
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const [visited, opened] = [await send({ path: '/', headers: visit }), await send({ path: '/' })];
    expect(visited.status).toBe(200);
    expect(bodyOf(visited)).toBe(bodyOf(opened));
    expect(answered).toEqual([]);
  });

  test('each request with the security headers, and none for other origins', async () => {
    for (const { text } of [
      await send({ headers: bearer() }),
      await send({}),
      await send({ path: '/' }),
      await send({ path: '/absent' }),
      await send({ headers: { host: 'evil.example' } }),
    ]) {
      const head = text.split('\r\n\r\n')[0]?.toLowerCase() ?? '';
      for (const [name, value] of Object.entries(securityHeaders()))
        expect(head).toContain(`${name}: ${value}`.toLowerCase());
      expect(head).not.toMatch(/access-control|set-cookie|x-powered-by/);
    }
  });

  test('with a policy that permits no inline script, no other origin and no frame', () => {
    expect(securityHeaders()['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; ` +
        `base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
  });

  test('on loopback only', () => {
    expect(new URL(server.origin).hostname).toBe('127.0.0.1');
    expect(access.token).toMatch(/^[\w-]{43}$/);
  });

  test('with another token after each start', () => {
    const other = new LoopbackAccess(clock, () => ({ status: 200, json: {} }));
    expect(other.token).not.toBe(access.token);
  });
});
