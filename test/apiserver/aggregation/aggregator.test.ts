import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { TestServer, type Reply } from '../api-client.js';

const APIS = '/apis/apiregistration.k8s.io/v1/apiservices';
const AUTHENTICATION = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

let api: TestServer;
let remote: Server;
let service: object;
/** The first check of the APIService of that name. */
const held: ServerResponse[] = [];
/** The requests of the current test without a response. */
const open: [IncomingMessage, ServerResponse][] = [];

beforeAll(async () => {
  api = await TestServer.start();
  const { data } = (await api.send('GET', AUTHENTICATION)).body;
  const ca = data!['requestheader-client-ca-file'] as unknown as string;
  const { keyPem: key, certPem: cert } = createServingIdentity(Date.now());
  remote = createServer({ key, cert, ca, requestCert: true }, (message, response) => {
    if (message.url?.includes('/v1/items')) open.push([message, response]);
    else if (message.url === '/apis/held.example.com/v1' && held.length === 0) held.push(response);
    else response.writeHead(/^\/apis\/(items|held).example.com\/v1$/.test(message.url ?? '') ? 200 : 404).end('{}');
  });
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
  const { port } = remote.address() as AddressInfo;
  await api.send('POST', '/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'items' },
    spec: { type: 'ExternalName', externalName: '127.0.0.1' },
  });
  service = { namespace: 'default', name: 'items', port };
  await register('items.example.com');
  await available('items.example.com');
});
afterAll(async () => {
  remote.close();
  remote.closeAllConnections();
  await api.stop();
});

const register = (group: string): Promise<Reply> =>
  api.send('POST', APIS, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service,
    },
  });
const available = (group: string): Promise<Reply> =>
  api.until(`${APIS}/v1.${group}`, ({ body }) => JSON.stringify(body.status).includes('"Passed"'));

/** Begins a request of the administrator, and waits until it is there. */
async function ask(
  path: string,
): Promise<{ call: ReturnType<typeof request>; message: IncomingMessage; response: ServerResponse }> {
  const headers = { authorization: `Bearer ${api.server.token}` };
  const call = request(new URL(`/apis/items.example.com/v1${path}`, api.server.url), { ca: api.server.caPem, headers });
  call.end();
  while (open.length === 0) await once(remote, 'request');
  const [message, response] = open.pop()!;
  return { call, message, response };
}

describe('a request to another server', () => {
  test('a request to an aggregated API has a client certificate that its server can verify', async () => {
    const { call, message, response } = await ask('/items');
    const socket = message.socket as TLSSocket;
    expect(socket.authorized).toBe(true);
    expect(socket.getPeerCertificate().subject.CN).toBe('front-proxy-client');
    const { data } = (await api.send('GET', AUTHENTICATION)).body;
    expect(data!['requestheader-allowed-names']).toBe('["front-proxy-client"]');
    response.end();
    await once(call, 'response');
  });

  test('the response of an aggregated API is streamed, as a watch requires', async () => {
    const { call, response } = await ask('/items?watch=true');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"type":"ADDED"}\n');
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect(String((await once(answer, 'data'))[0])).toBe('{"type":"ADDED"}\n');
    response.end('{"type":"DELETED"}\n');
    expect(String((await once(answer, 'data'))[0])).toBe('{"type":"DELETED"}\n');
  });

  test('a request to an aggregated API ends when the client disconnects', async () => {
    const { call, response } = await ask('/items?watch=true');
    call.on('error', () => undefined);
    const closed = once(response, 'close');
    call.destroy();
    await closed;
  });

  test('a request to an aggregated API fails when its server disconnects', async () => {
    const { call, message } = await ask('/items');
    message.socket.destroy();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(503);
    expect(String((await once(answer, 'data'))[0])).toBe('EOF\n');
  });
});

test('an APIService that is recreated during a check is checked itself', async () => {
  await register('held.example.com');
  while (held.length === 0) await once(remote, 'request');
  await api.send('DELETE', `${APIS}/v1.held.example.com`);
  await register('held.example.com');
  held[0]!.end('{}');
  await available('held.example.com');
});
