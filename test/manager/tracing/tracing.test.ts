import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  ConfigMap,
  CustomResource,
  Field,
  Kind,
  Manager,
  Owns,
  Secret,
  TerminalError,
  type Client,
  type Context,
  type Logger,
} from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { silentLogger } from '../../../src/base/logger.js';
import { registerRecordingSdk, unregisterSdk, type RecordedSpan } from './recording-sdk.js';

class TracedSpec {
  @Field() value!: string;
}

@Kind({ group: 'test.example.com', version: 'v1' })
@Owns(ConfigMap)
class Traced extends CustomResource {
  @Field() spec!: TracedSpec;

  async reconcile(ctx: Context): Promise<void> {
    if (this.spec.value === 'fail') throw new TerminalError('no luck');
    const span = trace.getTracer('operator').startSpan('work');
    await context.with(trace.setSpan(context.active(), span), async () => {
      await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { value: this.spec.value } });
    });
    span.end();
    if (this.spec.value === 'read')
      await ctx.client.get(Secret, 'absent', { namespace: 'default' }).catch(() => undefined);
  }
}

const namespace = 'default';
let cluster: Cluster;
let spans: RecordedSpan[] = [];
const sent: (readonly [path: string, traceparent: string | undefined])[] = [];
const warnings: string[] = [];
const logger: Logger = { ...silentLogger, warn: (message) => void warnings.push(message), child: () => silentLogger };

async function run(client: Client, logTo: Logger = silentLogger): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const running = new Manager({ client, logger: logTo, tracing: true, watchAuditInterval: 0 })
    .add(Traced)
    .run(stopping.signal);
  return async () => {
    stopping.abort(new Error('stopped by the test'));
    await running;
  };
}

/** The spans of the reconciles of an object. */
const reconcilesOf = (name: string): RecordedSpan[] =>
  spans.filter((span) => span.name === 'reconcile traced' && span.attributes['kindwright.object.name'] === name);
const childrenOf = (span: RecordedSpan): RecordedSpan[] =>
  spans.filter(({ parent }) => parent?.spanId === span.spanContext().spanId);

async function reconciled(name: string, value: string, runs = 1): Promise<RecordedSpan[]> {
  await cluster.create(Traced, { metadata: { name, namespace }, spec: { value } });
  await eventually(() => {
    expect(reconcilesOf(name).filter(({ hasEnded }) => hasEnded).length).toBeGreaterThanOrEqual(runs);
  });
  return reconcilesOf(name);
}

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.install(Traced);
});
afterAll(() => cluster.stop());

describe('a manager with tracing', () => {
  let stop: () => Promise<void>;
  beforeAll(async () => {
    spans = registerRecordingSdk();
    const client = cluster.client.intercepted((request, send) => {
      sent.push([request.path, request.headers?.['traceparent']]);
      return send(request);
    });
    stop = await run(client);
    await reconciled('first', 'x');
  });
  afterAll(async () => {
    await stop();
    unregisterSdk();
  });

  test('each reconcile is a root span with its object, attempt, trigger and outcome', async () => {
    const [span] = await reconciled('plain', 'x');
    expect(span?.parent).toBeUndefined();
    expect(span?.attributes).toMatchObject({
      'kindwright.controller': 'traced',
      'kindwright.object.name': 'plain',
      'k8s.namespace.name': namespace,
      'kindwright.attempt': 1,
      'kindwright.trigger': 'Traced add default/plain',
      'kindwright.outcome': 'done',
    });
    expect([span?.status, span?.exceptions]).toEqual([undefined, []]);
  });

  test('spans of the operator are children of the reconcile, and its requests children of these', async () => {
    const [reconcile] = await reconciled('nested', 'x');
    const [work] = childrenOf(reconcile!);
    expect(work?.name).toBe('work');
    const [write] = childrenOf(work!);
    expect(write).toMatchObject({
      name: 'apply configmaps',
      hasEnded: true,
      options: { kind: SpanKind.CLIENT },
      attributes: {
        'http.request.method': 'PATCH',
        'url.path': '/api/v1/namespaces/default/configmaps/nested',
        'kindwright.verb': 'apply',
        'kindwright.object.kind': 'ConfigMap',
        'kindwright.object.name': 'nested',
        'k8s.namespace.name': namespace,
      },
    });
  });

  test('requests have the header of their span, and requests outside of reconciles have none', async () => {
    await reconciled('header', 'x');
    const write = spans.find(({ attributes }) => attributes['url.path']?.toString().endsWith('/configmaps/header'));
    const { traceId, spanId } = write!.spanContext();
    expect(sent).toContainEqual([write?.attributes['url.path'], `00-${traceId}-${spanId}-01`]);
    const checks = sent.filter(([path]) => path.includes('authorization.k8s.io'));
    expect(checks.length).toBeGreaterThan(0);
    expect(checks.every(([, traceparent]) => traceparent === undefined)).toBe(true);
  });

  test('a reconcile that an own write triggers is linked to the reconcile that wrote', async () => {
    const [first, second] = await reconciled('linked', 'x', 2);
    expect(second?.attributes['kindwright.trigger']).toMatch(/^@Owns\(ConfigMap\) add .* by its own write/);
    expect(second?.links).toEqual([{ context: first?.spanContext() }]);
    expect(second?.spanContext().traceId).not.toBe(first?.spanContext().traceId);
  });

  test('a failed reconcile has the error', async () => {
    const [span] = await reconciled('failing', 'fail');
    expect(span?.attributes['kindwright.outcome']).toBe('terminal');
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no luck' });
    expect(span?.exceptions).toEqual([expect.objectContaining({ message: 'no luck' })]);
  });

  test('a failed request has the status of its response, and does not fail the reconcile span', async () => {
    const [reconcile] = await reconciled('reading', 'read');
    const read = childrenOf(reconcile!).find(({ name }) => name === 'get secrets');
    expect(read?.attributes).toMatchObject({ 'http.response.status_code': 404, 'kindwright.object.name': 'absent' });
    expect(read?.status?.code).toBe(SpanStatusCode.ERROR);
    expect(reconcile?.status).toBeUndefined();
  });
});

describe('a manager with tracing and without an SDK', () => {
  let stop: () => Promise<void>;
  afterEach(() => stop());

  test('tracing without an SDK is a warning, and objects are reconciled', async () => {
    stop = await run(cluster.client, logger);
    await cluster.create(Traced, { metadata: { name: 'untraced', namespace }, spec: { value: 'x' } });
    await eventually(async () => {
      expect(await cluster.client.get(ConfigMap, 'untraced', { namespace })).toMatchObject({ data: { value: 'x' } });
    });
    expect(warnings).toContain('No spans are recorded: no SDK of OpenTelemetry is registered');
  });
});
