import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  ConfigMap,
  CustomResource,
  Field,
  Inject,
  Kind,
  Lease,
  loadClusterConfig,
  Validate,
  ValidatingWebhookConfiguration,
  type Disposer,
  type Review,
  type StartContext,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { webhookConfigurations } from '../../../src/manifests/webhooks/webhook-configurations.js';
import type { ManagerOptions } from '../../../src/manager/manager-options.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { installKinds, RunningManager } from '../sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

/** A connection pool that cannot be used after it was closed. */
class Pool {
  isClosed = false;

  query(): void {
    if (this.isClosed) throw new Error('the pool is closed');
  }
}

let pool: Pool;
/** The number of objects that the last review found. */
let listed: number | undefined;
let onDispose: (client: Client) => Promise<unknown>;

@Kind({ group: 'drained.example.com', version: 'v1' })
class Tank extends CustomResource {
  @Field({ optional: true }) note?: string;
  @Inject(Pool) private readonly pool!: Pool;

  static onStart({ client, provide }: StartContext): Disposer {
    pool = new Pool();
    provide(Pool, pool);
    return async () => {
      pool.isClosed = true;
      await onDispose(client);
    };
  }

  reconcile(): void {
    return undefined;
  }

  @Validate() async check(review: Review<Tank>): Promise<void> {
    this.pool.query();
    listed = (await review.list(Tank)).length;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'kindwright-drained-'));
const identity = createServingIdentity(Date.now());
let cluster: SuiteControlPlane;
let client: Client;
let count = 0;

beforeAll(async () => {
  writeFileSync(join(folder, 'tls.crt'), identity.certPem);
  writeFileSync(join(folder, 'tls.key'), identity.keyPem);
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Tank]);
});
beforeEach(() => {
  onDispose = () => Promise.resolve();
});
afterAll(async () => {
  client.close();
  rmSync(folder, { recursive: true });
  await cluster.stop();
});

/** Creates an object, and returns the number of objects that its review found; undefined without a review. */
async function create(): Promise<number | undefined> {
  listed = undefined;
  await client.create(Tank, { metadata: { name: `tank-${String(++count)}`, namespace: 'default' } });
  return listed;
}

/** Starts a manager whose webhooks are called. */
async function start(options: Partial<ManagerOptions>): Promise<RunningManager> {
  const webhooks = { bindAddress: '127.0.0.1:0', certDir: folder, drainTime: 4000 };
  const manager = await RunningManager.start(client, [Tank], { webhooks, ...options });
  const port = Number((await manager.logged(/^Serving webhooks$/)).fields.port);
  const caBundle = Buffer.from(identity.caPem).toString('base64');
  const [configuration] = webhookConfigurations(buildResourceModels([Tank]), {
    name: 'drained',
    labels: {},
    clientConfig: (path) => ({ url: `https://127.0.0.1:${String(port)}${path}`, caBundle }),
  });
  await client.apply(ValidatingWebhookConfiguration, configuration!, { force: true });
  await eventually(async () => expect(await create()).toBeDefined(), { timeout: '20s' });
  return manager;
}

/** Expects that reviews succeed and see new objects. */
async function expectServing(): Promise<void> {
  const before = count;
  await eventually(async () => expect((await create()) ?? 0).toBeGreaterThan(before));
  expect(pool.isClosed).toBe(false);
}

test('a manager that stops gives up the lease first, and its webhooks work until they are drained (W20)', async () => {
  const leaderElection = { namespace: 'default', leaseName: 'tanks' };
  const manager = await start({ leaderElection });
  onDispose = (ofHook) => ofHook.create(ConfigMap, { metadata: { name: 'disposed', namespace: 'default' } });
  const stopped = manager.stop();
  await eventually(async () => {
    const { spec } = await client.get(Lease, 'tanks', { namespace: 'default' });
    expect(spec?.holderIdentity ?? '').toBe('');
  });
  await expectServing();
  await stopped;
  expect(pool.isClosed).toBe(true);
  await client.get(ConfigMap, 'disposed', { namespace: 'default' });
  await expect(create()).rejects.toThrow(/failed calling webhook/);
});

test('after the loss of the lease, webhooks work until they are drained', async () => {
  const leaderElection = { namespace: 'default', leaseName: 'lost', leaseDuration: 3000, renewDeadline: 2000 };
  const manager = await start({ leaderElection: { ...leaderElection, retryPeriod: 400 } });
  const spec = { holderIdentity: 'thief', leaseDurationSeconds: 60 };
  await client.apply(Lease, { metadata: { name: 'lost', namespace: 'default' }, spec }, { force: true });
  await manager.logged(/held by thief/);
  await expectServing();
  await expect(manager.ended).rejects.toMatchObject({ code: 'E_LEASE_LOST' });
  expect(pool.isClosed).toBe(true);
});
