import { once } from 'node:events';
import { connect, type ConnectionOptions } from 'node:tls';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { createAuthority, createClientCertificate, createServingIdentity } from '../../src/pki/certificate.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { WebhookServer } from '../../src/webhook/webhook-server.js';
import { noReader } from './reviewed-kind.js';

const now = Date.now();
const identity = createServingIdentity(now);
const validity = { notBeforeMs: now - 60_000, notAfterMs: now + 3_600_000 };
const [own, other] = [createAuthority(validity), createAuthority(validity)];
let server: WebhookServer;
let logger: RecordingLogger;

beforeEach(async () => {
  logger = new RecordingLogger();
  server = await WebhookServer.start([], {
    ...{ host: '127.0.0.1', port: 0, reader: noReader, isStrict: false, logger, clock: new FakeClock() },
    certificate: { cert: identity.certPem, key: identity.keyPem },
    clientCa: own.certPem,
    metrics: undefined,
    prepared: () => Promise.resolve(),
  });
});
afterEach(() => server.close());

/** Sends a request and returns the first line of the response; empty if the connection is closed without one. */
async function statusLine(credentials: ConnectionOptions = {}): Promise<string> {
  const options = { host: '127.0.0.1', port: server.port, ca: identity.caPem, ...credentials };
  const socket = connect(options);
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.write('GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  return received.split('\r\n', 1)[0] ?? '';
}

const credentialsOf = (authority: typeof own): ConnectionOptions => {
  const { certPem: cert, keyPem: key } = createClientCertificate(authority.key, 'kube-apiserver', now);
  return { cert, key };
};

test('a client with a certificate of the client CA is served, also after a new server certificate', async () => {
  expect(await statusLine(credentialsOf(own))).toBe('HTTP/1.1 404 Not Found');
  const next = createServingIdentity(now);
  server.renew({ cert: next.certPem, key: next.keyPem });
  expect(await statusLine({ ...credentialsOf(own), ca: next.caPem })).toBe('HTTP/1.1 404 Not Found');
  expect(await statusLine({ ca: next.caPem })).toBe('');
});

test('clients without a certificate, or with one of another authority, are rejected, and each reason is logged once', async () => {
  for (const credentials of [{}, {}, credentialsOf(other)]) expect(await statusLine(credentials)).toBe('');
  const rejected = logger.lines.filter(({ message }) => message.startsWith('a client of the webhooks was rejected'));
  expect(rejected.length).toBeGreaterThanOrEqual(1);
  expect(new Set(rejected.map(({ fields }) => fields['reason'])).size).toBe(rejected.length);
});
