import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceAuth, SourceRequest } from '../../../src/index.js';
import { SystemClock } from '../../../src/base/system-clock.js';
import type { RunOptions } from '../../../src/manager/run-options.js';
import { SourceServer, type SourceRoute } from '../../../src/manager/sources/source-server.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

const folder = mkdtempSync(join(tmpdir(), 'sources-'));
let server: SourceServer | undefined;
let received: SourceRequest[];
let isLeading: boolean;
let isServed = true;
let maxBodyBytes: number;
let method: (request: SourceRequest) => number;
let logger: RecordingLogger;

beforeEach(() => {
  received = [];
  isLeading = true;
  isServed = true;
  maxBodyBytes = 100;
  method = () => 1;
  logger = new RecordingLogger();
  process.env['TEST_SOURCE_TOKEN'] = 's3cret';
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  delete process.env['TEST_SOURCE_TOKEN'];
  rmSync(folder, { recursive: true, force: true });
});

const route = (auth: SourceAuth, path = '/hooks/tickets'): SourceRoute => ({
  source: { type: 'http', name: '@Source pushed', method: 'pushed', path, auth, maxBodyBytes, call: () => [] },
  triggers: {
    get isRunning() {
      return isLeading;
    },
    receive: async (_, given) => {
      received.push(given);
      return method(given);
    },
  },
  isServed: () => isServed,
});

async function start(
  auth: SourceAuth = { bearer: { env: 'TEST_SOURCE_TOKEN' } },
  sourceBindAddress = '127.0.0.1:0',
): Promise<string> {
  const options = { clock: new SystemClock(), logger, sourceBindAddress } as unknown as RunOptions;
  server = new SourceServer([route(auth)], options);
  await server.start();
  const address = logger.lines.find(({ message }) => message === 'Serving HTTP sources')?.fields['address'];
  return `http://${String(address)}`;
}

/** Sends a body of the length without its last byte. */
function half(url: string, headers: Record<string, string>, length: number) {
  const to = { method: 'POST', headers: { ...headers, 'content-length': length }, agent: false };
  const sending = request(`${url}/hooks/tickets`, to);
  const status = new Promise((resolve) => {
    sending.on('response', ({ statusCode }) => {
      resolve(statusCode);
    });
    sending.on('error', () => undefined);
  });
  const sent = new Promise((resolve) => sending.write('x'.repeat(length - 1), resolve));
  return { status, sent, end: () => sending.destroy() };
}

const bearer = { authorization: 'Bearer s3cret' };
const post = (url: string, body = '{}', headers: Record<string, string> = bearer) =>
  fetch(url, { method: 'POST', body, headers });

test('a request with the token is passed to the method, and answered with the number of objects', async () => {
  const url = await start();
  method = ({ json, query }) => (json() as { ids: string[] }).ids.length + Number(query.get('add'));
  const response = await post(`${url}/hooks/tickets?add=1`, '{"ids":["a","b"]}');
  expect([response.status, await response.json()]).toEqual([202, { objects: 3 }]);
});

test.each([
  ['no token', {}],
  ['another token', { authorization: 'Bearer other' }],
  ['another scheme', { authorization: 'Basic s3cret' }],
])('a request with %s is rejected with 401 and never reaches the method', async (_, headers) => {
  const url = await start();
  const response = await post(`${url}/hooks/tickets`, '{}', headers);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(received).toEqual([]);
});

test('other paths are 404, other methods 405 with Allow, both without a token', async () => {
  const url = await start();
  expect((await post(`${url}/hooks`, '{}', {})).status).toBe(404);
  const response = await fetch(`${url}/hooks/tickets`);
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});

test('a body that is too long is 413, whether or not its length is announced', async () => {
  const url = await start();
  expect((await post(`${url}/hooks/tickets`, 'x'.repeat(101))).status).toBe(413);
  const chunked = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${url}/hooks/tickets`, { method: 'POST', headers: bearer }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.write('x'.repeat(60));
    sent.write('x'.repeat(60));
  });
  expect(chunked).toBe(413);
  expect((await post(`${url}/hooks/tickets`, 'x'.repeat(100))).status).toBe(202);
});

test('a body that is not JSON is 400 when the method parses it', async () => {
  const url = await start();
  method = ({ json }) => Number(json());
  expect((await post(`${url}/hooks/tickets`, '{')).status).toBe(400);
});

test('an error of the method is 500 without its message, and logged', async () => {
  const url = await start();
  method = () => {
    throw new Error('secret detail');
  };
  const response = await post(`${url}/hooks/tickets`);
  expect([response.status, await response.text()]).toEqual([500, 'internal error\n']);
  expect(logger.messages('error')).toEqual(['@Source pushed failed']);
});

test('a replica that does not lead answers 503, and 401 without a token', async () => {
  const url = await start();
  isLeading = false;
  expect((await post(`${url}/hooks/tickets`)).status).toBe(503);
  expect((await post(`${url}/hooks/tickets`, '{}', {})).status).toBe(401);
});

test('a source of a class that was removed is not found', async () => {
  const url = await start();
  isServed = false;
  expect((await post(`${url}/hooks/tickets`)).status).toBe(404);
});

test('a request is authenticated by the HMAC signature of its body, with the secret of a file', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'secret-')), 'key');
  writeFileSync(file, 'first\n');
  const url = await start({ hmac: { file } });
  const signed = (key: string, body: string) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  });
  const send = async (key: string, body: string, signedBody = body) =>
    (await post(`${url}/hooks/tickets`, body, signed(key, signedBody))).status;
  expect(await send('first', '{"a":1}')).toBe(202);
  expect(await send('first', '{"a":2}', '{"a":1}')).toBe(401);
  expect(await send('other', '{"a":1}')).toBe(401);
  expect((await post(`${url}/hooks/tickets`, '{}', {})).status).toBe(401);
  writeFileSync(file, 'second\n');
  expect(await send('first', '{"a":1}')).toBe(401);
  expect(await send('second', '{"a":1}')).toBe(202);
});

test('a request with a query is rejected if it is signed: the signature does not cover the query', async () => {
  const url = await start({ hmac: { env: 'TEST_SOURCE_TOKEN' } });
  const signature = createHmac('sha256', 's3cret').update('{}').digest('hex');
  const response = await post(`${url}/hooks/tickets?force=1`, '{}', { 'x-hub-signature-256': signature });
  expect([response.status, await response.text()]).toEqual([
    400,
    'the signature does not cover the query: send its values in the body\n',
  ]);
  expect(received).toEqual([]);
});

test.each([
  [{ bearer: { env: 'TEST_SOURCE_TOKEN' } }, ':0', ['bearer tokens for HTTP sources are received in clear text']],
  [{ bearer: { env: 'TEST_SOURCE_TOKEN' } }, '127.0.0.1:0', []],
  [{ hmac: { env: 'TEST_SOURCE_TOKEN' } }, ':0', []],
])('plain HTTP for %j at %s is logged with the warnings %j', async (auth, address, warnings) => {
  await start(auth, address);
  expect(logger.messages('warn')).toEqual(warnings);
});

test.each([
  ['without a signature', {}],
  ['with a malformed signature', { 'x-hub-signature-256': 'sha256=abc' }],
])('a request %s is rejected before its body arrives', async (_, headers) => {
  const url = await start({ hmac: { env: 'TEST_SOURCE_TOKEN' } });
  expect(await half(url, headers, 100).status).toBe(401);
});

test('requests are rejected with 503 while the bodies of others take the memory for all', async () => {
  maxBodyBytes = 30_000_000;
  const url = await start();
  const held = [half(url, bearer, maxBodyBytes), half(url, bearer, maxBodyBytes)];
  for (const { sent } of held) await sent;
  expect(await half(url, bearer, maxBodyBytes).status).toBe(503);
  for (const { end } of held) end();
});

test('a missing secret stops the start', async () => {
  await expect(start({ bearer: { env: 'TEST_SOURCE_MISSING' } })).rejects.toThrow(
    'the secret of an HTTP source is missing: environment variable TEST_SOURCE_MISSING is empty or does not exist',
  );
});

test('a secret that becomes unreadable is 500 for requests, and logged once', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'secret-')), 'key');
  writeFileSync(file, 's3cret');
  const url = await start({ bearer: { file } });
  writeFileSync(file, Buffer.from([0xff, 0xfe]));
  expect((await post(`${url}/hooks/tickets`)).status).toBe(500);
  expect((await post(`${url}/hooks/tickets`)).status).toBe(500);
  expect(logger.messages('error')).toEqual([`HTTP sources answer 500: ${file}:1: not valid UTF-8`]);
});

test('two sources with one path stop the start with an error', () => {
  const auth = { bearer: { env: 'TEST_SOURCE_TOKEN' } };
  expect(() => new SourceServer([route(auth), route(auth)], { logger } as unknown as RunOptions)).toThrow(
    'two @Source methods have the same path',
  );
});
