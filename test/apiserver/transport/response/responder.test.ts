import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiRequest } from '../../../../src/apiserver/transport/request/api-request.js';
import type { Outcome } from '../../../../src/apiserver/transport/response/outcome.js';
import { respond } from '../../../../src/apiserver/transport/response/responder.js';

const LONG = 'x'.repeat(130 * 1024);
let server: Server;
afterEach(() => {
  server.close();
});

async function answer(outcome: Outcome, encoding: string): Promise<Response> {
  server = createServer((message, response) => {
    respond(response, { message, query: new URLSearchParams(), warnings: [] } as unknown as ApiRequest, outcome, 0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/`, { headers: { 'accept-encoding': encoding } });
}

function document(body: string, isCompressible: boolean): Outcome {
  return { type: 'text', code: 200, contentType: 'text/plain', body, headers: { Vary: 'Accept' }, isCompressible };
}

test('a long compressible document is compressed for a client that accepts gzip', async () => {
  const response = await answer(document(LONG, true), 'gzip');
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
  expect(await response.text()).toBe(LONG);
});

test.each([
  ['short', document('x', true), 'gzip'],
  ['not compressible', document(LONG, false), 'gzip'],
  ['requested without gzip', document(LONG, true), 'identity'],
])('a document that is %s is sent unchanged', async (_why, outcome, encoding) => {
  const response = await answer(outcome, encoding);
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(response.headers.get('vary')).toBe('Accept');
});
