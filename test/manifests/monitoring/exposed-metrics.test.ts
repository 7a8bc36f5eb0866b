import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import {
  ConfigMap,
  Controller,
  ConvertsTo,
  CustomResource,
  Field,
  Kind,
  Manager,
  ObjectController,
  Validate,
} from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';
import { createMetrics } from '../../../src/base/metrics.js';
import { SystemClock } from '../../../src/base/system-clock.js';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { operatorClients, type OperatorClients } from '../../../src/cli/operator-clients.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import { MONITORED_METRICS, type MonitoredMetric } from '../../../src/manifests/monitoring/monitored-metrics.js';
import { applyObjects } from '../../../src/testing/apply-objects.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';

class Spec {
  @Field() value!: string;
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Monitored extends CustomResource {
  @Field() spec!: Spec;

  @Validate({ failurePolicy: 'Ignore' })
  check(): void {
    return undefined;
  }

  private static hasFailed = false;

  /** Fails once, so that there is a retry. */
  reconcile(): void {
    if (Monitored.hasFailed) return;
    Monitored.hasFailed = true;
    throw new Error('the first reconcile fails');
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1beta1', kind: 'Monitored' })
@ConvertsTo(Monitored, [])
abstract class MonitoredV1Beta1 extends CustomResource {
  @Field() spec!: Spec;
}

@Controller({ for: ConfigMap, clusters: 'all' })
class Watched extends ObjectController<ConfigMap> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: ConfigMap })
class Sharded extends ObjectController<ConfigMap> {
  reconcile(): void {
    return undefined;
  }
}

interface Rule {
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[] }[];
}

/** Labels that Prometheus adds to all series of the target. */
const TARGET_LABELS = ['job', 'namespace'];

const sources = buildResourceModels([Monitored, MonitoredV1Beta1, Watched]).map((model) => ({
  model,
  sourceFile: 'operators/monitored.ts',
}));
const files = generateManifests(sources, { monitoring: true, namespace: 'default' });
const sharded = generateManifests(
  buildResourceModels([Sharded]).map((model) => ({ model, sourceFile: 'operators/sharded.ts' })),
  { monitoring: true, namespace: 'default', deployment: { sharding: true } },
);
const documents = (path: string) =>
  parseYamlDocuments([...files, ...sharded].find((file) => file.path === path)!.content, path);

const logger = new RecordingLogger();
const stopping = new AbortController();
const exposed = new Map<string, MonitoredMetric>();
let cluster: Cluster;
let clients: OperatorClients;
let running: Promise<unknown>;

beforeAll(async () => {
  cluster = await startCluster({ server: 'embedded' });
  await cluster.install(Monitored);
  const own = ['05-certificates', '08-webhooks'].flatMap((file) => documents(`monitored/${file}.yaml`));
  await applyObjects(cluster.client, own);
  const metrics = await createMetrics();
  clients = operatorClients(cluster.client.config, {
    logger,
    clock: new SystemClock(),
    metrics,
    observer: undefined,
    recordRbac: undefined,
  });
  const { client } = clients;
  const manager = new Manager({
    client,
    logger,
    metrics,
    metricsBindAddress: '127.0.0.1:0',
    leaderElection: { namespace: 'default' },
    webhooks: {
      bindAddress: '127.0.0.1:0',
      authority: { client: clients.own, operator: 'monitored', namespace: 'default' },
      drainTime: 0,
    },
  });
  manager.clusters.set('east', cluster.client.config);
  const shards = await createMetrics({ ofProcess: false });
  const sharing = new Manager({ client, metrics: shards, sharding: { name: 'demo', namespace: 'default' } });
  running = Promise.all([
    manager.add(Monitored).add(Watched).run(stopping.signal),
    sharing.add(Sharded).run(stopping.signal),
  ]);
  await cluster.create(Monitored, { metadata: { name: 'a', namespace: 'default' }, spec: { value: 'x' } });
  await eventually(
    async () => {
      const address = logger.lines.find(({ message }) => message === 'Serving metrics')?.fields['address'];
      const text = await (await fetch(`http://${String(address)}/metrics`)).text();
      expect(text).toMatch(/^controller_runtime_reconcile_time_seconds_count.* [1-9]/m);
      expect(text).toMatch(/^workqueue_retries_total\{.* 1$/m);
      expect(text).toMatch(/^kindwright_webhook_certificate_expiration_timestamp_seconds\{/m);
      expect(text).toMatch(/^kindwright_cluster_connected\{cluster="east"\} 1$/m);
      const port = Number(logger.lines.find(({ message }) => message === 'Serving webhooks')?.fields['port']);
      await review(port);
      await convert(port);
      expect(text).toMatch(/^controller_runtime_webhook_latency_seconds_count/m);
      expect(text).toMatch(/^kindwright_conversion_objects_total\{/m);
      const { text: ofShards } = await shards.expose();
      expect(ofShards).toMatch(/^kindwright_shard_slots 1024$/m);
      for (const [name, metric] of [...parse(ofShards), ...parse(text)]) exposed.set(name, metric);
    },
    { timeout: '15s' },
  );
}, 30_000);
afterAll(async () => {
  stopping.abort(new Error('the test has ended'));
  await running;
  clients.close();
  await cluster.stop();
});

const OBJECT = {
  apiVersion: 'test.kindwright.dev/v1',
  kind: 'Monitored',
  metadata: { name: 'a' },
  spec: { value: 'x' },
};

/** Sends a review to the webhooks, as the API server does. */
async function review(port: number): Promise<void> {
  const kind = { group: 'test.kindwright.dev', version: 'v1', kind: 'Monitored' };
  const resource = { group: kind.group, version: kind.version, resource: 'monitoreds' };
  const answer = await post(port, '/validate-test-kindwright-dev-monitored-ignore', {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '1',
      kind,
      resource,
      operation: 'CREATE',
      userInfo: {},
      name: 'a',
      namespace: 'default',
      object: OBJECT,
    },
  });
  expect(answer).toMatchObject({ response: { allowed: true } });
}

/** Converts an object, as the API server does. */
async function convert(port: number): Promise<void> {
  const answer = await post(port, '/convert', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid: '1', desiredAPIVersion: 'test.kindwright.dev/v1beta1', objects: [OBJECT] },
  });
  expect(answer).toMatchObject({ response: { result: { status: 'Success' } } });
}

async function post(port: number, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const options = { host: '127.0.0.1', port, path, method: 'POST', rejectUnauthorized: false, headers };
  const call = request(options).end(JSON.stringify(body));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return json(response);
}

/**
 * The metrics of a text exposition with the labels of their samples. The controllers of other clusters have the same metrics
 * with one more label, and are left out.
 */
function parse(text: string): Map<string, MonitoredMetric> {
  const found = new Map<string, MonitoredMetric>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const sample = new RegExp(`^${name}${type === 'histogram' ? '_bucket' : ''}(?:\\{(.*)\\})? `, 'gm');
    const samples = [...text.matchAll(sample)].filter(
      ([, all = '']) => name === 'kindwright_cluster_connected' || !all.includes('cluster="'),
    );
    const labels = samples.flatMap(([, all = '']) => [...all.matchAll(/(\w+)="/g)]);
    const names = new Set(labels.map(([, label = '']) => label));
    names.delete('le');
    found.set(name, { type: type as MonitoredMetric['type'], labels: [...names].toSorted() });
  }
  return found;
}

const OPERATORS = ['monitored', 'sharded'];
const rules = OPERATORS.flatMap(
  (name) =>
    documents(`${name}/monitoring/alerts.yaml`) as { spec: { groups: readonly { rules: readonly Rule[] }[] } }[],
).flatMap(({ spec }) => spec.groups.flatMap((group) => group.rules));
const targets = OPERATORS.flatMap((name) => {
  const [configMap] = documents(`${name}/monitoring/dashboard.yaml`) as [{ data: Record<string, string> }];
  const { panels } = JSON.parse(configMap.data[`${name}.json`]!) as Dashboard;
  return panels.flatMap((panel) => panel.targets);
});
/** Each expression with the text that shows its labels. */
const uses = [
  ...rules.map(({ expr, annotations }) => ({ expr, text: Object.values(annotations).join(' ') })),
  ...targets.map(({ expr, legendFormat }) => ({ expr, text: legendFormat })),
];

/** The selectors of an expression: `function(name{matchers}`. */
function selectors(expr: string) {
  const found = [...expr.matchAll(/(\w+)?(?: by \([^)]*\) )?\((\w+)\{([^}]*)\}/g)];
  return found.map(([, caller = '', series = '', matchers = '']) => {
    const isBucket = series.endsWith('_bucket');
    const name = isBucket ? series.slice(0, -'_bucket'.length) : series;
    return { caller, name, isBucket, labels: [...matchers.matchAll(/(\w+)=/g)].map(([, label = '']) => label) };
  });
}

test('alerts and dashboard use every metric of the table, and no others', () => {
  const names = new Set(uses.flatMap(({ expr }) => selectors(expr).map(({ name }) => name)));
  expect([...names].toSorted()).toEqual(Object.keys(MONITORED_METRICS).toSorted());
});

test.each(Object.entries<MonitoredMetric>(MONITORED_METRICS))(
  '%s is served as the table describes it',
  (name, metric) => {
    expect(exposed.get(name)).toEqual({ type: metric.type, labels: [...metric.labels].toSorted() });
  },
);

test('docs/operations.md lists the served metrics of the SDK with their types and labels', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'operations.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (\w+) +\| ([^|]*)\|/gm)];
  const listed = new Map(
    rows.map(([, name = '', type, labels = '']) => [
      name,
      { type, labels: [...labels.matchAll(/\w+/g)].map(String).toSorted() },
    ]),
  );
  const served = [...exposed].filter(([name]) => !/^(?:process|nodejs)_/.test(name));
  expect(served.length).toBeGreaterThan(30);
  // A metric has no labels as long as it has no series.
  for (const [name, { type, labels }] of served)
    expect({ name, ...listed.get(name) }).toEqual({
      name,
      type,
      labels: labels.length > 0 ? labels : expect.any(Array),
    });
});

test.each(uses)('the types and labels of $expr are those of served metrics', ({ expr, text }) => {
  const found = selectors(expr);
  expect(found).toHaveLength(expr.match(/\{/g)!.length);
  const groups = [...expr.matchAll(/ by \(([^)]*)\)/g)].map(([, list = '']) => list.split(', '));
  for (const { caller, name, isBucket, labels } of found) {
    const metric = exposed.get(name)!;
    const type = isBucket
      ? 'histogram'
      : { rate: 'counter', increase: 'counter', max: 'gauge', min: 'gauge', sum: 'gauge' }[caller];
    expect({ expr, type }).toEqual({ expr, type: metric.type });
    const known = [...metric.labels, ...TARGET_LABELS, ...(isBucket ? ['le'] : [])];
    expect(known).toEqual(expect.arrayContaining([...labels, ...groups.flat()]));
    expect(labels).toEqual(expect.arrayContaining(TARGET_LABELS));
  }
  const shown = [...text.matchAll(/\{\{(?: \$labels\.)?(\w+) ?\}\}/g)].map(([, label = '']) => label);
  for (const group of groups) expect(group).toEqual(expect.arrayContaining(shown));
  if (groups.length === 0) expect(shown).toEqual([]);
});

test.each([
  'OperatorReconcileErrors',
  'OperatorReconcileTimeouts',
  'OperatorWorkqueueDepth',
  'OperatorWorkqueueStalled',
  'OperatorWatchMissedEvents',
  'OperatorClusterDisconnected',
  'OperatorWithoutLeader',
  'OperatorShardsWithoutReplica',
  'OperatorCertificateExpiry',
])('an alert exists for %s', (alert) => {
  expect(rules).toContainEqual(expect.objectContaining({ alert }));
});
