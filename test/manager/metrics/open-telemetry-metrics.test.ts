import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { metrics as api } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type DataPoint,
  type Histogram,
} from '@opentelemetry/sdk-metrics';
import {
  createMetrics,
  CustomResource,
  Field,
  Kind,
  Manager,
  type Context,
  type CounterMetric,
  type HistogramMetric,
  type ManagerOptions,
  type StartContext,
} from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';

class UploadSpec {
  @Field({ format: 'int64' }) bytes!: number;
}

@Kind({ group: 'test.example.com', version: 'v1' })
class Upload extends CustomResource {
  private static readonly waiting = new Map([['red', 3]]);
  private static uploads: CounterMetric<'result'>;
  private static sizes: HistogramMetric<'result'>;

  @Field() spec!: UploadSpec;

  static onStart({ metrics }: StartContext): void {
    this.uploads = metrics.counter('upload_total', 'Uploads', ['result']);
    this.sizes = metrics.histogram('upload_bytes', 'Sizes of uploads', ['result'], [10, 100]);
    metrics.gauge('upload_waiting', 'Waiting uploads', ['queue'], (gauge) => {
      for (const [queue, value] of this.waiting) gauge.set({ queue }, value);
    });
  }

  reconcile(_ctx: Context): void {
    Upload.uploads.inc({ result: 'success' });
    Upload.sizes.observe({ result: 'success' }, this.spec.bytes);
  }
}

type Points = readonly DataPoint<number | Histogram>[];

let cluster: Cluster;
let exporter: InMemoryMetricExporter;
let provider: MeterProvider;
let stop: () => Promise<void>;

beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded' });
  await cluster.install(Upload);
});
afterAll(() => cluster.stop());

beforeEach(() => {
  exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  provider = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })],
  });
  api.setGlobalMeterProvider(provider);
});
afterEach(async () => {
  await stop();
  api.disable();
  await provider.shutdown();
});

/** Runs a manager, which is stopped at the end of the test. */
function run(options: Partial<ManagerOptions> = {}): () => Promise<void> {
  const stopping = new AbortController();
  const running = new Manager({ client: cluster.client, otelMetrics: true, watchAuditInterval: 0, ...options })
    .add(Upload)
    .run(stopping.signal);
  return async () => {
    stopping.abort(new Error('stopped by the test'));
    await running;
  };
}

/** The points of each metric in the last export. */
function lastExport(): ReadonlyMap<string, Points> {
  const scopes = exporter.getMetrics().at(-1)?.scopeMetrics ?? [];
  return new Map(
    scopes.flatMap(({ metrics }) =>
      metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints as Points]),
    ),
  );
}

async function collected(name: string): Promise<Points> {
  await provider.forceFlush();
  return lastExport().get(name) ?? [];
}

const upload = (name: string, bytes: number) => ({ metadata: { name, namespace: 'default' }, spec: { bytes } });

test('metrics of the operator, the SDK and the process reach the MeterProvider without an HTTP endpoint', async () => {
  stop = run();
  await cluster.create(Upload, upload('small', 7));
  await cluster.create(Upload, upload('large', 70));
  const result = { attributes: { result: 'success' } };
  await eventually(async () => {
    expect(await collected('upload_total')).toMatchObject([{ ...result, value: 2 }]);
  });
  const exported = lastExport();
  expect(exported.get('upload_waiting')).toMatchObject([{ attributes: { queue: 'red' }, value: 3 }]);
  expect(exported.get('upload_bytes')).toMatchObject([
    { ...result, value: { count: 2, sum: 77, buckets: { boundaries: [10, 100], counts: [1, 1, 0] } } },
  ]);
  const successes = { attributes: { controller: 'upload', result: 'success' }, value: 2 };
  expect(exported.get('controller_runtime_reconcile_total')).toContainEqual(expect.objectContaining(successes));
  expect(exported.get('controller_runtime_reconcile_time_seconds')).toMatchObject([
    { attributes: { controller: 'upload' }, value: { count: 2 } },
  ]);
  expect(exported.get('workqueue_depth')).toMatchObject([{ attributes: { controller: 'upload' }, value: 0 }]);
  expect(exported.get('process_resident_memory_bytes')).toMatchObject([{ value: expect.any(Number) }]);
});

test('the last values are exported when the manager stops, and none after it', async () => {
  const metrics = await createMetrics({ ofProcess: false });
  const jobs = metrics.counter('jobs_total', 'Jobs', []);
  stop = run({ metrics });
  await eventually(async () => {
    expect(await collected('jobs_total')).toMatchObject([{ value: 0 }]);
  });
  jobs.inc(5);
  await stop();
  expect(lastExport().get('jobs_total')).toMatchObject([{ value: 5 }]);
  jobs.inc(1);
  expect(await collected('jobs_total')).toMatchObject([{ value: 5 }]);
});

test('each form of an observation is exported once', async () => {
  const metrics = await createMetrics({ ofProcess: false });
  const seconds = metrics.histogram('job_seconds', 'Length of jobs', ['queue', 'result'], [1]);
  stop = run({ metrics });
  await eventually(async () => {
    expect(await collected('upload_waiting')).toHaveLength(1);
  });
  seconds.observe({ queue: 'red', result: 'done' }, 1);
  seconds.labels('red', 'done').observe(2);
  seconds.labels({ queue: 'red', result: 'done' }).observe(3);
  const attributes = { queue: 'red', result: 'done' };
  expect(await collected('job_seconds')).toMatchObject([{ attributes, value: { count: 3, sum: 6 } }]);
  expect(() => {
    seconds.observe({ queue: 'red', result: 'done' }, Number.NaN);
  }).toThrow('not a valid number');
});

test('a missing MeterProvider is logged', async () => {
  api.disable();
  const logger = new RecordingLogger();
  stop = run({ logger });
  await eventually(() => {
    expect(logger.lines.map(({ message }) => message)).toContain(
      'No metrics are exported: no MeterProvider of OpenTelemetry is registered',
    );
  });
});
