import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ApiError,
  Client,
  ConvertsTo,
  CustomResource,
  CustomResourceDefinition,
  Field,
  Kind,
  Lease,
  loadClusterConfig,
  move,
  Validate,
  ValidatingWebhookConfiguration,
} from 'kindwright';
import type { V1ObjectMeta } from '@kubernetes/client-node';
import { eventually } from 'kindwright/testing';
import { customResourceDefinition } from '../../../src/manifests/crd/crd.js';
import { webhookConfigurations } from '../../../src/manifests/webhooks/webhook-configurations.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { FastClock } from './fast-clock.js';
import { installKinds, RunningManager } from './running-manager.js';
import { ServiceBalancer } from './service-balancer.js';

const group = 'unreachable.example.com';
const namespace = 'default';
const LEASE = 'tank-leader';
const OBJECTS = 500;

@Kind({ group, version: 'v1', storage: true })
class Tank extends CustomResource {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) note?: string;

  reconcile(): void {
    seen.v1.set(this.metadata.name, this.size);
  }
}

@Kind({ group, version: 'v1beta1', kind: 'Tank' })
@ConvertsTo(Tank, [move('liters', 'size')])
abstract class TankV1Beta1 extends CustomResource {
  @Field({ format: 'int32' }) liters!: number;
  @Field({ optional: true }) note?: string;
}

/** The old version, as declared by another operator. */
@Kind({ group, version: 'v1beta1', kind: 'Tank' })
class OldTank extends CustomResource {
  @Field({ format: 'int32' }) liters!: number;

  reconcile(): void {
    seen.v1beta1.set(this.metadata.name, this.liters);
  }
}

@Kind({ group, version: 'v1' })
class Valve extends CustomResource {
  reconcile(): void {
    return undefined;
  }

  @Validate({ timeoutSeconds: 1 }) check(): void {
    return undefined;
  }
}

const seen = { v1: new Map<string, number>(), v1beta1: new Map<string, number>() };
const folder = mkdtempSync(join(tmpdir(), 'kindwright-unreachable-'));
const identity = createServingIdentity(Date.now());
const caBundle = Buffer.from(identity.caPem).toString('base64');
let cluster: SuiteControlPlane;
let client: Client;
let service: ServiceBalancer;
const running: RunningManager[] = [];

beforeAll(async () => {
  writeFileSync(join(folder, 'tls.crt'), identity.certPem);
  writeFileSync(join(folder, 'tls.key'), identity.keyPem);
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  service = await ServiceBalancer.start();
});
afterAll(async () => {
  await Promise.all(running.map((manager) => manager.stop()));
  client.close();
  await service.stop();
  rmSync(folder, { recursive: true });
  await cluster.stop();
});

interface Replica {
  readonly manager: RunningManager;
  readonly port: number;
  readonly readiness: string;
}

/** Starts a replica that serves webhooks, and returns its port once it is ready. */
async function startReplica(target: typeof Tank | typeof Valve, leaderElection = false): Promise<Replica> {
  const manager = new RunningManager(client, [target], {
    webhooks: { bindAddress: '127.0.0.1:0', certDir: folder, drainTime: 0 },
    healthProbeBindAddress: '127.0.0.1:0',
    leaderElection: leaderElection && { namespace, leaseName: LEASE, retryPeriod: 200 },
  });
  running.push(manager);
  const port = Number((await manager.logged(/^Serving webhooks$/)).fields.port);
  const address = String((await manager.logged(/^Serving health probes$/)).fields.address);
  return { manager, port, readiness: `http://${address}/readyz` };
}

const [hub, old] = buildResourceModels([Tank, TankV1Beta1]) as [never, never];

/** Applies the definition with the version that is stored, and a conversion by the replicas behind the Service. */
async function define(storedVersion: string): Promise<void> {
  const definition = customResourceDefinition(hub, old);
  const { spec } = definition;
  const versions = spec.versions.map((each) => ({ ...each, storage: each.name === storedVersion }));
  const clientConfig = { url: `https://127.0.0.1:${service.port}/convert`, caBundle };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  const stored = { ...definition, spec: { ...spec, versions, conversion } };
  await client.apply(CustomResourceDefinition, stored, { fieldManager: 'test', force: true });
}

test('while conversion is down the stored version works, and everything recovers without a restart (W18)', async () => {
  await define('v1');
  await eventually(() => client.list(Tank), { timeout: '20s' });
  const { manager, port } = await startReplica(Tank);
  service.ready.add(port);
  const follower = await RunningManager.start(client, [OldTank], { clock: new FastClock() }); // for its back-off
  const metadata = { name: 'main', namespace };
  const applied = { ...metadata, labels: { by: 'old' } };
  await client.apply(TankV1Beta1, { metadata: applied, liters: 1 }, { fieldManager: 'old' });
  await client.create(Tank, { metadata: { name: 'other', namespace }, size: 1 });
  await eventually(() => expect([seen.v1.get('other'), seen.v1beta1.get('other')]).toEqual([1, 1]));
  const managers = async () =>
    ((await client.get(Tank, 'main', { namespace })).metadata as unknown as V1ObjectMeta).managedFields?.map(
      (each) => each.manager,
    );
  expect(await managers()).toEqual(['old']);
  service.ready.clear();
  service.disconnect();

  await client.patch(Tank, 'main', { size: 2 }, { namespace });
  await client.patch(Tank, 'other', { size: 2 }, { namespace });
  await client.create(Tank, { metadata: { name: 'during', namespace }, size: 3 });
  expect((await client.list(Tank, { namespace })).items.map(({ size }) => size)).toEqual([3, 2, 2]);
  await eventually(() => expect(seen.v1.get('during')).toBe(3)); // the watch of the stored version continues
  const failing = [
    () => client.get(TankV1Beta1, 'main', { namespace }),
    () => client.patch(TankV1Beta1, 'main', { liters: 9 }, { namespace }),
    () => client.create(TankV1Beta1, { metadata: { name: 'new', namespace }, liters: 9 }),
    () => client.delete(TankV1Beta1, 'other', { namespace }),
  ];
  const failures = await Promise.all(failing.map((send) => send().then(() => 'succeeded', causeOf)));
  for (const cause of failures) expect(cause).toMatch(/^500 conversion webhook for .*, Kind=Tank failed: Post "https/);
  // The API server lets lists wait for a cache that it cannot fill.
  const listing = new AbortController();
  const timer = setTimeout(() => listing.abort(new Error('the list waits')), 2000);
  const listed = client.list(TankV1Beta1, { namespace, signal: listing.signal });
  await expect(listed).rejects.toThrow(/conversion webhook|the list waits/);
  clearTimeout(timer);
  await client.delete(Tank, 'other', { namespace });

  service.ready.add(port);
  expect((await client.get(TankV1Beta1, 'main', { namespace })).liters).toBe(2);
  await client.patch(TankV1Beta1, 'main', { liters: 4 }, { namespace });
  await client.delete(TankV1Beta1, 'during', { namespace });
  await eventually(() => expect([seen.v1.get('main'), seen.v1beta1.get('main')]).toEqual([4, 4]), {
    timeout: '50s',
  });
  // Kubernetes 1.36 drops the managers when it cannot convert to their version: kubernetes/kubernetes#136919.
  expect(await managers()).toBeUndefined();
  await Promise.all([manager.stop(), follower.stop()]);
  service.ready.clear();
  await client.delete(Tank, 'main', { namespace });
  seen.v1.clear();
});

test('an operator starts with 500 objects that are stored in an old version, without being the leader (W17)', async () => {
  await define('v1beta1');
  const names = Array.from({ length: OBJECTS }, (_, index) => `tank-${index}`);
  const create = (name: string, liters: number) =>
    client.create(TankV1Beta1, { metadata: { name, namespace }, liters });
  // Until the API server has read the definition, it converts the objects to store them, and no replica runs.
  await eventually(() => create('tank-0', 0), { timeout: '20s' });
  await Promise.all(names.slice(1).map((name, index) => create(name, index + 1)));
  await define('v1');
  const renewTime = new Date(Date.now() + 3600_000).toISOString().replace('Z', '000Z');
  await client.create(Lease, {
    metadata: { name: LEASE, namespace },
    spec: { holderIdentity: 'another', leaseDurationSeconds: 3600, renewTime, acquireTime: renewTime },
  });

  const { manager, port, readiness } = await startReplica(Tank, true);
  const state = async () => {
    const response = await fetch(`${readiness}?verbose`);
    return { status: response.status, hasSynced: !(await response.text()).includes('has not synced') };
  };
  // No pod is behind the Service before the first one is ready.
  expect(await state()).toEqual({ status: 200, hasSynced: false });
  service.ready.add(port);
  await eventually(async () => expect(await state()).toEqual({ status: 200, hasSynced: true }), { timeout: '40s' });
  expect(seen.v1.size).toBe(0);
  await client.delete(Lease, LEASE, { namespace });
  await eventually(() => expect(seen.v1.size).toBe(OBJECTS), { timeout: '20s' });
  expect(names.filter((name, index) => seen.v1.get(name) !== index)).toEqual([]);
  expect(manager.logger.lines.filter(({ message }) => /Conversion failed/.test(message))).toEqual([]);
  service.ready.clear();
});

test('a replica that keeps its connections but does not respond costs one timeout, then another one is called (W21)', async () => {
  await installKinds(client, [Valve]);
  const [first, second] = [await startReplica(Valve), await startReplica(Valve)];
  const [configuration] = webhookConfigurations(buildResourceModels([Valve]), {
    name: 'valve',
    labels: {},
    clientConfig: (path) => ({ url: `https://127.0.0.1:${service.port}${path}`, caBundle }),
  });
  let count = 0;
  const create = () => client.create(Valve, { metadata: { name: `valve-${++count}`, namespace } });
  service.ready.add(first.port);
  await client.create(ValidatingWebhookConfiguration, configuration as never);
  await eventually(create);
  service.silent.add(first.port);
  await expect(create()).rejects.toThrow(/failed calling webhook .*(deadline exceeded|timeout)/i);
  // The probes of the kubelet remove the pod from the Service; its connections stay.
  service.ready.delete(first.port);
  service.ready.add(second.port);
  for (let write = 0; write < 20; write++) await create();
});

function causeOf(error: unknown): string {
  return error instanceof ApiError ? `${error.status} ${error.message}` : String(error);
}
