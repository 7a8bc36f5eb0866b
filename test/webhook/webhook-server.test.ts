import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent, request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { IncomingMessage } from 'node:http';
import { FakeClock } from '../../src/base/fake-clock.js';
import { createMetrics } from '../../src/base/metrics.js';
import { stringifyJson } from '../../src/base/json.js';
import { Latch } from '../../src/cache/latch.js';
import { createServingIdentity } from '../../src/pki/certificate.js';
import { CustomResource } from '../../src/resource/custom-resource.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Inject } from '../../src/resource/decorators/inject.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Validate } from '../../src/resource/decorators/validate.js';
import type { Review } from '../../src/resource/review.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { webhookMetrics } from '../../src/webhook/webhook-metrics.js';
import { WebhookServer } from '../../src/webhook/webhook-server.js';
import { creation, noReader, webhookOf } from './reviewed-kind.js';

class Spec {
  @Field({ format: 'int32' }) size!: number;
}

class Limits {
  constructor(readonly most: number) {}
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class PodSet extends CustomResource {
  @Field() spec!: Spec;
  @Inject(Limits) readonly limits!: Limits;

  reconcile(): void {
    return undefined;
  }

  @Validate() async check(review: Review<PodSet>): Promise<void> {
    const { size } = this.spec;
    if (size > this.limits.most) review.invalid('spec.size', `must be at most ${this.limits.most}`);
    if (size === -1) throw new TypeError('x is\nnot a function');
    if (size === -2) await new Promise<never>(() => undefined);
    if (size === -3) await pause.promise;
  }
}

/** Sends a request, and on the same connection a second one when the first number of `state` is 1, then sets the other. */
const REPEATING_CLIENT = `
  const { Agent, request } = require('node:https');
  const { parentPort, workerData: { state, url, ca, body } } = require('node:worker_threads');
  const agent = new Agent({ ca, keepAlive: true, maxSockets: 1 });
  const send = (onSent) => {
    const sent = request(url, { agent, method: 'POST', headers: { 'content-type': 'application/json' } });
    sent.on('error', ({ message }) => parentPort.postMessage({ message }));
    sent.on('finish', onSent);
    sent.on('response', (response) => {
      const { statusCode: status, headers: { connection } } = response;
      parentPort.postMessage({ status, ...(connection === 'close' && { connection }) });
      response.resume().on('end', () => onSent === first && setImmediate(again));
    });
    sent.end(body);
  };
  const first = () => undefined;
  const again = () => {
    Atomics.wait(state, 0, 0);
    send(() => {
      Atomics.store(state, 1, 1);
      Atomics.notify(state, 1);
    });
  };
  send(first);
`;

const PATH = '/validate-apps-example-com-podset';
const identity = createServingIdentity(Date.now());
let pause: { promise: Promise<void>; end: () => void };
let server: WebhookServer;
let clock: FakeClock;
let logger: RecordingLogger;
let agent: Agent;
let prepared: Latch;
let metrics: Awaited<ReturnType<typeof createMetrics>>;

beforeEach(async () => {
  let end = (): void => undefined;
  pause = {
    promise: new Promise<void>((resolve) => (end = resolve)),
    end: () => {
      end();
    },
  };
  const webhook = webhookOf(PodSet, 'Validating');
  webhook.provided.provide(Limits, new Limits(3));
  clock = new FakeClock();
  logger = new RecordingLogger();
  metrics = await createMetrics({ ofProcess: false });
  prepared = new Latch();
  prepared.open();
  agent = new Agent({ ca: identity.caPem, keepAlive: true, maxSockets: 4 });
  server = await WebhookServer.start([webhook], {
    host: '127.0.0.1',
    port: 0,
    certificate: { cert: identity.certPem, key: identity.keyPem },
    reader: noReader,
    isStrict: false,
    logger,
    clock,
    metrics: webhookMetrics(metrics),
    prepared: (signal) => prepared.wait(signal),
  });
});

afterEach(async () => {
  agent.destroy();
  await server.close();
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function send({ method = 'POST', path = PATH, headers = {}, body = '' }: Sent) {
  const request = httpsRequest({
    host: '127.0.0.1',
    port: server.port,
    agent,
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
  });
  request.on('error', () => undefined);
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text, connection: response.headers.connection };
}

/** Sends a body of the length without its last byte. */
function half(length: number, path = PATH) {
  const headers = { 'content-type': 'application/json', 'content-length': length };
  const to = { host: '127.0.0.1', port: server.port, ca: identity.caPem, agent: false };
  const request = httpsRequest({ ...to, method: 'POST', path, headers });
  request.on('error', () => undefined);
  const sent = new Promise((resolve) => request.write(' '.repeat(length - 1), resolve));
  const response = async () => {
    const [{ statusCode: status, headers }] = (await once(request, 'response')) as [IncomingMessage];
    return { status, connection: headers.connection };
  };
  return { request, sent, response };
}

function review(request: object): string {
  return stringifyJson({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request });
}

const sized = (size: number): string => review(creation({ spec: { size } }));

/** A review of valid JSON that is as deep as Go, and so the API server, permits. */
function nested(begin: string, inner: string, end: string): string {
  return sized(1).replace('"size":1', () => `"size":1,"more":${begin.repeat(9_000)}${inner}${end.repeat(9_000)}`);
}

async function metric(name: string): Promise<string[]> {
  const { text } = await metrics.expose();
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('a server of webhooks', () => {
  test('the webhook server responds to a review with the verdict', async () => {
    const { status, text } = await send({ body: sized(4), path: `${PATH}?timeout=5s` });
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        kind: 'AdmissionReview',
        apiVersion: 'admission.k8s.io/v1',
        response: expect.objectContaining({ uid: 'u1', allowed: false }),
      },
    ]);
  });

  const pods = { group: '', version: 'v1', resource: 'pods' };
  const { uid: _, ...withoutUid } = creation({});
  test.each<[string, Sent, number, RegExp]>([
    ['GET', { method: 'GET' }, 405, /^only POST is supported\n$/],
    ['an unknown path', { path: '/x' }, 404, /^no webhook is served at this path\n$/],
    ['another content type', { headers: { 'content-type': 'text/plain' } }, 415, /content type/],
    ['an empty body', {}, 400, /not valid JSON/],
    ['a body that is cut off', { body: sized(1).slice(0, -9) }, 400, /not valid JSON/],
    ['lists that do not end', { body: '['.repeat(1_000_000) }, 400, /nested too deeply/],
    ['deep nesting', { body: nested('{"a":', '1', '}') }, 400, /^the object is nested too deeply\n$/],
    ['deeply nested lists', { body: nested('[', '', ']') }, 400, /^the object is nested too deeply\n$/],
    ['deeply nested bigints', { body: nested('[', '12345678901234567890', ']') }, 400, /nested too deeply/],
    ['8 MiB', { body: ' '.repeat(8 * 1024 * 1024) }, 413, /exceeds 7340032 bytes/],
    ['another kind of object', { body: '{"kind":"Pod"}' }, 400, /must be an AdmissionReview/],
    ['version v1beta1', { body: sized(1).replace('k8s.io/v1', 'k8s.io/v1beta1') }, 400, /must be an AdmissionReview/],
    ['no request', { body: review([]) }, 400, /no request with a uid/],
    ['no uid', { body: review(withoutUid) }, 400, /no request with a uid/],
    ['another resource', { body: review(creation({}, { resource: pods })) }, 400, /reviews podsets of apps/],
    ['no object', { body: review(creation({}, { object: null })) }, 400, /^object of operation CREATE must be/],
    ['no metadata', { body: review(creation({ metadata: null })) }, 400, /must be an object with metadata/],
    ['CONNECT', { body: review(creation({}, { operation: 'CONNECT' })) }, 400, /operation must be/],
    ['toString', { body: review(creation({}, { operation: 'toString' as 'CREATE' })) }, 400, /operation must be/],
  ])(
    'the webhook server rejects %s with one line and responds to the next review (W1)',
    async (_name, sent, status, message) => {
      const reply = await send(sent);
      expect([reply.status, reply.text]).toEqual([status, expect.stringMatching(message)]);
      expect(reply.text.trimEnd()).not.toMatch(/\n|\.[jt]s/);
      expect((await send({ body: sized(1) })).status).toBe(200);
    },
  );

  test('the webhook server responds with 500 and counts a panic when the method throws a TypeError (W3)', async () => {
    expect(await send({ body: sized(-1) })).toMatchObject({
      status: 500,
      text: 'PodSet.check: TypeError: see the log of the operator\n',
    });
    expect(await metric('controller_runtime_webhook_panics_total')).toEqual([
      'controller_runtime_webhook_panics_total 1',
    ]);
    expect(logger.lines).toContainEqual(
      expect.objectContaining({
        message: 'Review failed',
        fields: expect.objectContaining({ webhook: PATH, method: 'PodSet.check' }),
      }),
    );
  });

  test('the webhook server responds with 500 0.2 s before the timeout of the API server (W3)', async () => {
    const reply = send({ body: sized(-2), path: `${PATH}?timeout=2s` });
    await untilInFlight(1);
    await clock.advance(1800);
    expect(await reply).toMatchObject({ status: 500, text: 'PodSet.check: did not end within 1.8 s\n' });
  });

  test('the webhook server responds with 500 when the values to inject are not provided in time (W10)', async () => {
    prepared = new Latch();
    const reply = send({ body: sized(1), path: `${PATH}?timeout=2s` });
    await untilInFlight(1);
    await clock.advance(1800);
    expect(await reply).toMatchObject({ status: 500, text: 'did not end within 1.8 s\n' });
  });

  test('the webhook server counts requests and their duration under the names of controller-runtime', async () => {
    await send({ body: sized(1) });
    await send({ body: '' });
    expect(await metric('controller_runtime_webhook_requests')).toEqual([
      `controller_runtime_webhook_requests_total{webhook="${PATH}",code="200"} 1`,
      `controller_runtime_webhook_requests_total{webhook="${PATH}",code="500"} 0`,
      `controller_runtime_webhook_requests_total{webhook="${PATH}",code="400"} 1`,
      `controller_runtime_webhook_requests_in_flight{webhook="${PATH}"} 0`,
    ]);
    expect(await metric('controller_runtime_webhook_latency_seconds_count')).toEqual([
      `controller_runtime_webhook_latency_seconds_count{webhook="${PATH}"} 2`,
    ]);
  });

  test('the webhook server rejects JSON that is deeper than API servers accept before it is parsed', async () => {
    const body = sized(1).replace('"size":1', () => `"size":1,"more":${'['.repeat(3_000_000)}`);
    expect(await send({ body })).toMatchObject({ status: 400, text: 'the object is nested too deeply\n' });
  });

  test('the webhook server ends a review whose body does not arrive within the timeout of the API server', async () => {
    const reply = half(1000, `${PATH}?timeout=2s`).response();
    await untilInFlight(1);
    await clock.advance(1800);
    expect(await reply).toMatchObject({ status: 408, connection: 'close' });
  });

  test('the webhook server rejects requests while the bodies of others take the memory for all', async () => {
    const held = Array.from({ length: 9 }, () => half(7_000_000));
    await untilInFlight(9);
    for (const { sent } of held) await sent;
    const rejected = await half(7_000_000).response();
    expect(rejected).toMatchObject({ status: 503, connection: 'close' });
    for (const { request } of held) request.destroy();
    await untilInFlight(0);
    expect((await send({ body: sized(1) })).status).toBe(200);
  });

  test('the webhook server ends running reviews and closes connections when it drains', async () => {
    const running = send({ body: sized(-3) });
    await untilInFlight(1);
    server.drain();
    expect((await send({ body: sized(1) })).connection).toBe('close');
    const closed = server.close();
    pause.end();
    expect(await running).toMatchObject({ status: 200, connection: 'close' });
    await closed;
  });

  test('the webhook server ends reviews that take longer than the stop may', async () => {
    const running = send({ body: sized(-3) });
    await untilInFlight(1);
    const ended = expect(running).rejects.toThrow('socket hang up');
    await server.close(AbortSignal.abort());
    await ended;
  });

  test('the webhook server responds to requests that arrived while the process was busy before it closed', async () => {
    const state = new Int32Array(new SharedArrayBuffer(8));
    const client = new Worker(REPEATING_CLIENT, {
      eval: true,
      workerData: { state, url: `https://127.0.0.1:${server.port}${PATH}`, ca: identity.caPem, body: sized(1) },
    });
    expect(await once(client, 'message')).toEqual([{ status: 200 }]);
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    Atomics.wait(state, 1, 0); // blocks this thread, and so the server, until the second request has been sent
    const response = once(client, 'message');
    await server.close();
    expect(await response).toEqual([{ status: 200, connection: 'close' }]);
    await client.terminate();
  });

  test('the webhook server closes connections that never send a request', async () => {
    const silent = connect(server.port, '127.0.0.1');
    await once(silent, 'connect');
    const ended = once(silent, 'close');
    await server.close();
    await ended;
  });

  test('the webhook server uses a renewed certificate for new connections', async () => {
    const other = createServingIdentity(Date.now());
    server.renew({ cert: other.certPem, key: other.keyPem });
    agent.destroy();
    agent = new Agent({ ca: other.caPem });
    expect((await send({ body: sized(1) })).status).toBe(200);
  });
});

async function untilInFlight(count: number): Promise<void> {
  const line = `controller_runtime_webhook_requests_in_flight{webhook="${PATH}"} ${count}`;
  while ((await metric('controller_runtime_webhook_requests_in_flight'))[0] !== line)
    await new Promise((resolve) => setImmediate(resolve));
}
