import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  CustomResource,
  CustomResourceDefinition,
  Kind,
  loadClusterConfig,
  MutatingWebhookConfiguration,
  NotFoundError,
  ValidatingWebhookConfiguration,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { webhookConfigurations } from '../../../src/manifests/webhooks/webhook-configurations.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { ReplicatedCache } from '../../../docs/examples/replicated-cache.js';
import { ScheduledTask, ScheduledTaskV2 } from '../../../docs/examples/scheduled-task.js';
import { freePort } from '../../controlplane/free-port.js';
import { OperatorProcess } from '../operator-process.js';
import { installKinds, RunningManager } from '../sdk/running-manager.js';
import { TcpGate } from '../sdk/tcp-gate.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

@Kind({ group: 'served.example.com', version: 'v1' })
class Unreviewed extends CustomResource {
  reconcile(): void {
    return undefined;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'kindwright-served-'));
const identity = createServingIdentity(Date.now());
const KINDS = { MutatingWebhookConfiguration, ValidatingWebhookConfiguration };
let cluster: SuiteControlPlane;
let client: Client;
let count = 0;

beforeAll(async () => {
  writeFileSync(join(folder, 'tls.crt'), identity.certPem);
  writeFileSync(join(folder, 'tls.key'), identity.keyPem);
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});
afterEach(async () => {
  for (const kind of Object.values(KINDS))
    for (const { metadata } of (await client.list(kind)).items) await client.delete(kind, metadata.name);
});
afterAll(async () => {
  client.close();
  rmSync(folder, { recursive: true });
  await cluster.stop();
});

function create(replicas = 1): Promise<ReplicatedCache> {
  const metadata = { name: `cache-${String(++count)}`, namespace: 'default' };
  return client.create(ReplicatedCache, { metadata, spec: { replicas } }) as Promise<ReplicatedCache>;
}

/** Resolves when the API server calls the webhooks. */
function reviewed(): Promise<void> {
  return eventually(
    async () => {
      expect((await create()).spec.storageClass).toBe('standard');
    },
    { timeout: '20s' },
  );
}

async function configure(port: number): Promise<void> {
  const caBundle = Buffer.from(identity.caPem).toString('base64');
  const configurations = webhookConfigurations(buildResourceModels([ReplicatedCache]), {
    name: 'served',
    labels: {},
    clientConfig: (path) => ({ url: `https://127.0.0.1:${String(port)}${path}`, caBundle }),
  });
  for (const configuration of configurations)
    await client.create(KINDS[configuration.kind as keyof typeof KINDS], configuration);
}

test('webhooks with a certificate from files are ready before caches sync, counted, and drained (parts of W17, W20)', async () => {
  const manager = new RunningManager(client, [ReplicatedCache], {
    webhooks: { bindAddress: '127.0.0.1:0', certDir: folder, drainTime: 3000 },
    healthProbeBindAddress: '127.0.0.1:0',
    metricsBindAddress: '127.0.0.1:0',
  });
  const port = Number((await manager.logged(/^Serving webhooks$/)).fields.port);
  const address = async (message: RegExp) => `http://${String((await manager.logged(message)).fields.address)}`;
  const readiness = `${await address(/^Serving health probes$/)}/readyz`;
  const ready = await fetch(`${readiness}?verbose`);
  expect([ready.status, await ready.text()]).toEqual([
    200,
    expect.stringMatching(/^the cache of replicatedcaches\.docs\.example\.com has not synced/), // its CRD is missing
  ]);
  await installKinds(client, [ReplicatedCache]);
  await configure(port);
  await reviewed();
  await manager.workersStarted();
  await expect(create(21)).rejects.toThrow(/20 are allowed/);
  const metrics = await (await fetch(`${await address(/^Serving metrics$/)}/metrics`)).text();
  expect(metrics).toMatch(
    /controller_runtime_webhook_requests_total\{webhook="\/validate-docs-example-com-replicatedcache",code="200"\} [1-9]/,
  );
  const stopped = manager.stop();
  const notReady = await fetch(readiness).catch(() => undefined);
  expect(notReady?.status ?? 503).toBe(503);
  for (let index = 0; index < 10; index++) expect((await create()).spec.storageClass).toBe('standard');
  await stopped;
  await expect(create()).rejects.toThrow(/failed calling webhook "mutate\.replicatedcaches\.docs\.example\.com"/);
});

test('run-operator registers its webhooks, replaces those of a killed process, and removes them (parts of W22, W23)', async () => {
  const args = ['docs/examples/replicated-cache.ts', '--install', '--register-webhooks'];
  const killed = await OperatorProcess.start(cluster.kubeconfig, args).started();
  expect((await create()).spec.storageClass).toBe('standard');
  await expect(create(21)).rejects.toThrow(/20 are allowed/);
  await killed.logged(/^Writes that cannot be reviewed .* go through$/);
  await killed.stop('SIGKILL');
  const unreviewed = await create(21); // the cluster goes on
  expect(unreviewed.spec.storageClass).toBeUndefined();
  await client.delete(ReplicatedCache, unreviewed.metadata.name, { namespace: 'default' });
  const operator = await OperatorProcess.start(cluster.kubeconfig, args).started();
  expect((await create()).spec.storageClass).toBe('standard');
  expect(await operator.stop('SIGTERM')).toBe(0);
  const left = await Promise.all(Object.values(KINDS).map(async (kind) => (await client.list(kind)).items));
  expect(left.flat()).toEqual([]);
});

test('run-operator asks the API server for an address that it reaches, or explains why none is reachable (W22)', async () => {
  const args = ['docs/examples/replicated-cache.ts', '--install', '--register-webhooks'];
  const operator = OperatorProcess.start(cluster.kubeconfig, args);
  const found = await operator.logged(/^The API server reaches this process$/);
  expect(found.address).toMatch(/^127\.0\.0\.1:\d+$/);
  await operator.started();
  expect((await create()).spec.storageClass).toBe('standard');
  expect(await operator.stop('SIGTERM')).toBe(0);

  const port = String(await freePort());
  const refused = ['--webhook-address', `127.0.0.1:${port}`, '--webhook-port', '0'];
  const unreachable = OperatorProcess.start(cluster.kubeconfig, [...args, ...refused]);
  const error = await unreachable.logged(/^the API server cannot call the webhooks of this process/);
  expect([error.code, error.msg, error.hint]).toEqual([
    'E_WEBHOOK_ADDRESS',
    expect.stringMatching(new RegExp(`it tried\\n {2}127\\.0\\.0\\.1:${port}: .*refused`)),
    expect.stringContaining('ssh -R'),
  ]);
  expect(await unreachable.ended()).toBe(1);
  const left = await Promise.all(Object.values(KINDS).map(async (kind) => (await client.list(kind)).items));
  expect(left.flat()).toEqual([]);
});

test('webhooks are called through a tunnel, and removed by the next start after the process was killed (W22, W23)', async () => {
  const port = await freePort();
  const tunnel = await TcpGate.open(new URL(`https://127.0.0.1:${String(port)}`));
  const { host: address } = new URL(tunnel.url);
  const args = ['docs/examples/replicated-cache.ts', '--install', '--register-webhooks'];
  const options = ['--webhook-address', address, '--webhook-port', String(port)];
  const operator = await OperatorProcess.start(cluster.kubeconfig, [...args, ...options]).started();
  expect((await create()).spec.storageClass).toBe('standard');
  const [configuration] = (await client.list(MutatingWebhookConfiguration)).items;
  expect(configuration?.webhooks?.[0]?.clientConfig.url).toContain(`https://${address}/`);
  await operator.stop('SIGKILL');
  const manager = new RunningManager(client, [Unreviewed], { webhooks: { register: client } });
  await manager.logged(/^Removed webhook configuration replicatedcaches/); // the tunnel still accepts connections
  await manager.stop();
  tunnel.close();
});

test('the next start removes what a killed process left, also without webhooks of its own (W23)', async () => {
  const args = ['docs/examples/scheduled-task.ts', '--install', '--register-webhooks'];
  const killed = await OperatorProcess.start(cluster.kubeconfig, args).started();
  const pod = { containers: [{ name: 'task', image: 'busybox' }] };
  const task = { metadata: { name: 'nightly', namespace: 'default' }, spec: { schedule: '0 3 * * *', pod } };
  await client.create(ScheduledTask, task);
  expect((await client.get(ScheduledTaskV2, 'nightly', { namespace: 'default' })).spec.schedule.hour).toBe('3');
  expect(killed.lines.filter(({ msg }) => msg === 'Review failed')).toEqual([]); // of an object without spec
  await killed.stop('SIGKILL');
  const relabel = () =>
    client.patch(ScheduledTask, 'nightly', { metadata: { labels: { a: 'b' } } }, { namespace: 'default' });
  await relabel(); // the cluster goes on, except in the version that is converted
  await expect(client.get(ScheduledTaskV2, 'nightly', { namespace: 'default' })).rejects.toThrow(/conversion webhook/);
  const manager = new RunningManager(client, [Unreviewed], { webhooks: { register: client } });
  await manager.logged(/^Ended the conversion of scheduledtasks\.docs\.example\.com/);
  for (const type of ['mutating', 'validating'])
    await manager.logged(new RegExp(`^Removed webhook configuration scheduledtasks.docs.example.com-local-${type}-`));
  await eventually(relabel, { timeout: '20s' });
  const { metadata, spec } = await client.get(CustomResourceDefinition, 'scheduledtasks.docs.example.com');
  expect([spec.conversion, metadata.annotations?.['kindwright.dev/converted-by']]).toEqual([
    { strategy: 'None' },
    undefined,
  ]);
  expect(spec.versions.map(({ name, served }) => [name, served])).toEqual([
    ['v1', true],
    ['v2', false], // a write of it would lose fields
  ]);
  await manager.stop();

  const [, install, register] = args;
  expect(install).toBe('--install');
  const operator = await OperatorProcess.start(cluster.kubeconfig, [args[0]!, register!]).started();
  expect((await client.get(ScheduledTaskV2, 'nightly', { namespace: 'default' })).spec.schedule.hour).toBe('3');
  expect(await operator.stop('SIGTERM')).toBe(0);
  await eventually(async () => {
    await expect(client.get(ScheduledTaskV2, 'nightly', { namespace: 'default' })).rejects.toThrow(NotFoundError);
  });
});

test('a manager that does not serve the webhooks of its classes warns at the start', async () => {
  const manager = new RunningManager(client, [ReplicatedCache]);
  const { level, fields } = await manager.logged(/@Mutate and @Validate methods of ReplicatedCache are not called/);
  expect([level, fields.hint]).toEqual(['warn', expect.stringContaining('--webhook-cert-dir')]);
  await manager.stop();
});
