import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { ServiceResolver } from '../../../src/apiserver/remote/service-resolver.js';
import { WebhookClient } from '../../../src/apiserver/remote/webhook-client.js';
import { ObjectStore } from '../../../src/apiserver/storage/object-store.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';

const identity = createServingIdentity(Date.now());
const other = createServingIdentity(Date.now());

let webhook: Server;
let client: WebhookClient;
const connections: Socket[] = [];

beforeEach(async () => {
  connections.length = 0;
  webhook = createServer({ key: identity.keyPem, cert: identity.certPem }, (message, response) => {
    message.resume().on('end', () => response.end('{"answer":1}'));
  });
  webhook.on('secureConnection', (socket: Socket) => connections.push(socket));
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  client = new WebhookClient(new ServiceResolver(new ObjectStore({})));
});
afterEach(async () => {
  client.close();
  await new Promise((resolve) => webhook.close(resolve));
});

const call = (caPem = identity.caPem): Promise<unknown> => {
  const url = `https://127.0.0.1:${(webhook.address() as AddressInfo).port}/check`;
  return client.post({ url, caBundle: Buffer.from(caPem).toString('base64') }, { question: 1 }, 10);
};

test('calls of one webhook share a connection', async () => {
  for (let count = 0; count < 5; count++) expect(await call()).toEqual({ answer: 1 });
  expect(connections).toHaveLength(1);
});

test('a connection is not shared with calls that trust another authority', async () => {
  await call();
  await expect(call(other.caPem)).rejects.toThrow('x509: certificate signed by unknown authority');
});

test('a connection that the webhook has closed is replaced', async () => {
  await call();
  connections[0]?.destroy();
  expect(await call()).toEqual({ answer: 1 });
  expect(connections).toHaveLength(2);
});

test('an error of a new connection is not retried', async () => {
  webhook.removeAllListeners('request');
  let requests = 0;
  webhook.on('request', ({ socket }) => {
    requests++;
    socket.destroy();
  });
  await expect(call()).rejects.toThrow(/EOF$/);
  expect(requests).toBe(1);
});

test('closing the client ends its connections', async () => {
  await call();
  const closed = once(connections[0]!, 'close');
  client.close();
  await closed;
});
