import { EventEmitter, on, once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  ConfigMap,
  type Context,
  CustomResource,
  Daemon,
  type DaemonTask,
  Kind,
  Manager,
  Source,
  type SourceContext,
} from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';
import { registerRecordingSdk, unregisterSdk, type RecordedSpan } from './recording-sdk.js';

const TOKEN = 'VERIFICATION_TOKEN';
const messages = new EventEmitter();
const daemons = new EventEmitter();
/** Reconciles wait for it. */
let held: Promise<void> | undefined;

@Kind({ group: 'test.example.com', version: 'v1' })
class Called extends CustomResource {
  @Source({ path: '/called', auth: { bearer: { env: TOKEN } } })
  static pushed(): string[] {
    return ['default/object'];
  }

  @Source()
  static async *follow({ signal }: SourceContext): AsyncGenerator<string> {
    for await (const [name] of on(messages, 'message', { signal })) yield `default/${String(name)}`;
  }

  @Source({ every: '1h' })
  static poll(): string[] {
    return [];
  }

  @Daemon()
  async stay(ctx: Context, task: DaemonTask): Promise<void> {
    if (this.metadata.name === 'failing') throw new Error('no connection');
    await ctx.client.get(ConfigMap, 'kube-root-ca.crt', { namespace: 'default' }).catch(() => undefined);
    for (;;) {
      await once(daemons, 'change', { signal: task.signal });
      task.reconcile();
    }
  }

  async reconcile(): Promise<void> {
    await held;
  }
}

const namespace = 'default';
const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
let cluster: Cluster;
let spans: RecordedSpan[];
let address: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  process.env[TOKEN] = 'secret';
  cluster = await startCluster();
  await cluster.install(Called);
  await cluster.create(Called, { metadata: { name: 'object', namespace } });
  spans = registerRecordingSdk();
  const logger = new RecordingLogger();
  const stopping = new AbortController();
  const options = { client: cluster.client, logger, tracing: true, sourceBindAddress: '127.0.0.1:0' };
  const running = new Manager(options).add(Called).run(stopping.signal);
  stop = async () => {
    stopping.abort(new Error('stopped by the test'));
    await running;
  };
  await eventually(() => {
    expect(named('daemon called')).toHaveLength(1);
    expect(reconciles()).toHaveLength(1);
    expect(named('source called')).toHaveLength(2);
  });
  address = String(logger.lines.find(({ message }) => message === 'Serving HTTP sources')?.fields['address']);
});
afterAll(async () => {
  await stop();
  // The iterable and the task end without an error when they are aborted.
  for (const span of [...named('daemon called'), ...named('source called')]) {
    expect(span.hasEnded).toBe(true);
    if (span.attributes['kindwright.object.name'] !== 'failing') expect(span.status).toBeUndefined();
  }
  unregisterSdk();
  await cluster.stop();
});
beforeEach(async () => {
  held = undefined;
  await eventually(() => {
    expect(reconciles().every(({ hasEnded }) => hasEnded)).toBe(true);
  });
});

const named = (name: string): RecordedSpan[] => spans.filter((span) => span.name === name);
const reconciles = (): RecordedSpan[] =>
  named('reconcile called').filter(({ attributes }) => attributes['kindwright.object.name'] === 'object');
const sources = (source: string): RecordedSpan[] =>
  named('source called').filter(({ attributes }) => attributes['kindwright.source'] === source);

async function push(headers: Record<string, string> = {}): Promise<RecordedSpan> {
  const before = sources('@Source pushed').length;
  const authorization = 'Bearer secret';
  const response = await fetch(`http://${address}/called`, { method: 'POST', headers: { authorization, ...headers } });
  expect(response.status).toBe(202);
  return sources('@Source pushed')[before]!;
}

/** The span of the reconcile that the action causes. */
async function causedBy(act: () => Promise<unknown> | void): Promise<RecordedSpan> {
  const before = reconciles().length;
  await act();
  return eventually(() => {
    const span = reconciles()[before];
    if (span?.hasEnded) return span;
    throw new Error('no reconcile has ended');
  });
}

test('a reconcile that an HTTP request has caused belongs to the trace of the sender', async () => {
  let request: RecordedSpan | undefined;
  const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`;
  const reconcile = await causedBy(async () => (request = await push({ traceparent })));
  expect(request).toMatchObject({
    options: { kind: SpanKind.SERVER },
    parent: PARENT,
    hasEnded: true,
    attributes: {
      'kindwright.controller': 'called',
      'kindwright.source': '@Source pushed',
      'http.request.method': 'POST',
      'url.path': '/called',
    },
  });
  expect(reconcile.parent).toEqual(request?.spanContext());
  expect(reconcile.spanContext().traceId).toBe(PARENT.traceId);
  expect(reconcile.links).toEqual([]);
});

test('a reconcile that an HTTP request without a trace has caused belongs to the trace of the request', async () => {
  let request: RecordedSpan | undefined;
  const reconcile = await causedBy(async () => (request = await push()));
  expect(request?.parent).toBeUndefined();
  expect(reconcile.parent).toEqual(request?.spanContext());
});

test('a rejected request has no span', async () => {
  const before = spans.length;
  const response = await fetch(`http://${address}/called`, { method: 'POST' });
  expect(response.status).toBe(401);
  expect(spans).toHaveLength(before);
});

test('a reconcile with several causes is a root span that is linked to each of them', async () => {
  let release: () => void = () => undefined;
  held = new Promise((resolve) => (release = resolve));
  const before = reconciles().length;
  messages.emit('message', 'object');
  await eventually(() => expect(reconciles()).toHaveLength(before + 1));
  const requests: RecordedSpan[] = [];
  const merged = await causedBy(async () => {
    requests.push(await push(), await push());
    daemons.emit('change');
    release();
  });
  const [daemon] = named('daemon called').filter(({ attributes }) => attributes['kindwright.object.name'] === 'object');
  expect(merged.parent).toBeUndefined();
  expect(merged.links.map(({ context }) => context)).toEqual([...requests, daemon!].map((span) => span.spanContext()));
});

test('a reconcile with one HTTP request among its causes continues its trace, and is linked to the others', async () => {
  let release: () => void = () => undefined;
  held = new Promise((resolve) => (release = resolve));
  const before = reconciles().length;
  messages.emit('message', 'object');
  await eventually(() => expect(reconciles()).toHaveLength(before + 1));
  let request: RecordedSpan | undefined;
  const merged = await causedBy(async () => {
    messages.emit('message', 'object');
    request = await push();
    release();
  });
  const [iterable] = sources('@Source follow');
  expect(merged.parent).toEqual(request?.spanContext());
  expect(merged.links).toEqual([{ context: iterable?.spanContext() }]);
});

test('polls are root spans', () => {
  const [poll] = sources('@Source poll');
  expect([poll?.parent, poll?.hasEnded, poll?.links]).toEqual([undefined, true, []]);
});

test('requests of a daemon are children of its span', () => {
  const [daemon] = named('daemon called').filter(({ attributes }) => attributes['kindwright.object.name'] === 'object');
  expect(daemon).toMatchObject({
    parent: undefined,
    hasEnded: false,
    attributes: { 'kindwright.source': '@Daemon stay', 'k8s.namespace.name': namespace },
  });
  const requests = spans.filter(({ parent }) => parent?.spanId === daemon?.spanContext().spanId);
  expect(requests.map(({ name }) => name)).toContain('get configmaps');
});

test('each failed run of a daemon has the error', async () => {
  await cluster.create(Called, { metadata: { name: 'failing', namespace } });
  const failed = await eventually(() => {
    const found = named('daemon called').find(({ attributes }) => attributes['kindwright.object.name'] === 'failing');
    if (found?.hasEnded) return found;
    throw new Error('no run has failed');
  });
  expect(failed.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no connection' });
  expect(failed.exceptions).toHaveLength(1);
});
