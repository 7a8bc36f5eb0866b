import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  ConfigMap,
  CustomResourceDefinition,
  EventsEvent,
  loadClusterConfig,
  MutatingWebhookConfiguration,
  Secret,
  toKindRef,
  ValidatingWebhookConfiguration,
  type UnstructuredObject,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import type { Clock } from '../../../src/base/clock.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { initialAuthority, secretContent } from '../../../src/manager/webhooks/certificates/shared-authority.js';
import { applyObjects } from '../../../src/testing/apply-objects.js';
import { kubeconfigOf } from '../service-account.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { FastClock } from '../sdk/fast-clock.js';
import { GuardedSet, GuardedSetV1Beta1 } from '../sdk/guarded-set.js';
import { RunningManager } from '../sdk/running-manager.js';
import { ServiceBalancer } from '../sdk/service-balancer.js';
import { SteadyWrites } from './steady-writes.js';
import { limitTests } from '../../time-limits.js';

limitTests(240_000);

const NAMESPACE = 'guardedset-system';
const SECRET = 'guardedset-webhook-ca';
const ACCOUNT = { namespace: NAMESPACE, name: 'guardedset-controller-manager' };
const CONFIGURATIONS = [
  [MutatingWebhookConfiguration, 'guardedset-mutating-webhook-configuration'],
  [ValidatingWebhookConfiguration, 'guardedset-validating-webhook-configuration'],
] as const;

let cluster: SuiteControlPlane;
let admin: Client;
let operator: Client;
let service: ServiceBalancer;
let objects: UnstructuredObject[];
let load: SteadyWrites | undefined;

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ audit: true });
  admin = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  service = await ServiceBalancer.start();
  const sources = buildResourceModels([GuardedSet, GuardedSetV1Beta1]).map((model) => ({
    model,
    sourceFile: 'guardedset.ts',
  }));
  objects = generateManifests(sources, { certificates: 'self' })
    .filter(({ path }) => /^(guardedset\/\d|[^/]+_)/.test(path))
    .flatMap(({ path, content }) => parseYamlDocuments(content, path) as UnstructuredObject[])
    .filter(({ kind }) => kind !== 'Deployment')
    .map(atBalancer);
  await applyObjects(admin, objects);
  operator = new Client(await loadClusterConfig({ kubeconfig: await kubeconfigOf(cluster, admin, ACCOUNT) }));
});
afterEach(() => load?.stop()); // also after a failure, which would slow down the next test
afterAll(async () => {
  operator.close();
  admin.close();
  await service.stop();
  await cluster.stop();
});

/**
 * The object with the Service as a name of this host, and the port of the balancer; pods have no network here. Calls may take
 * long, because all replicas and the load share this process: only calls that fail count.
 */
function atBalancer(object: UnstructuredObject): UnstructuredObject {
  if (object.kind === 'Service') return { ...object, spec: { type: 'ExternalName', externalName: 'localhost' } };
  return JSON.parse(JSON.stringify(object), (key, value: unknown) => {
    if (key === 'timeoutSeconds') return 30;
    return key === 'service' ? { ...(value as object), port: service.port } : value;
  }) as UnstructuredObject;
}

/**
 * The default. API servers have closed or reused their connections by then: a request that is sent on an unused connection
 * while the pod closes it fails, because a POST is not repeated.
 */
const DRAIN_MS = 10_000;

interface Pod {
  readonly manager: RunningManager;
  readonly port: number;
}

/** Starts a replica with the permissions of the manifests; it gets connections once it is ready, as a pod does. */
async function startPod(clock?: Clock): Promise<Pod> {
  const manager = new RunningManager(operator, [GuardedSet], {
    webhooks: {
      bindAddress: '127.0.0.1:0',
      authority: { client: operator, operator: 'guardedset' },
      drainTime: clock instanceof FastClock ? DRAIN_MS * FastClock.FACTOR : DRAIN_MS,
    },
    healthProbeBindAddress: '127.0.0.1:0',
    leaderElection: false,
    ...(clock && { clock }),
  });
  const port = Number((await manager.logged(/^Serving webhooks$/)).fields.port);
  const address = String((await manager.logged(/^Serving health probes$/)).fields.address);
  await eventually(async () => expect((await fetch(`http://${address}/readyz`)).status).toBe(200), {
    timeout: '50s',
  });
  service.ready.add(port);
  return { manager, port };
}

async function stopPod({ manager, port }: Pod): Promise<void> {
  service.ready.delete(port);
  await manager.stop();
}

const create = (name: string) =>
  admin.create(GuardedSetV1Beta1, { metadata: { name, namespace: 'default' }, replicas: 'small' });

async function bundles(): Promise<string[]> {
  const read = await Promise.all(CONFIGURATIONS.map(([kind, name]) => admin.get(kind, name)));
  const { spec } = await admin.get(CustomResourceDefinition, 'guardedsets.guarded.example.com');
  const configured = read.flatMap(({ webhooks = [] }) => webhooks.map(({ clientConfig }) => clientConfig.caBundle));
  return [...new Set([...configured, spec.conversion?.webhook?.clientConfig?.caBundle].map((bundle) => bundle ?? ''))];
}

async function secretData(): Promise<Record<string, string>> {
  return (await admin.get(Secret, SECRET, { namespace: NAMESPACE })).data ?? {};
}

/** Sets members of the Secret; null removes one. */
async function patchAuthority(content: Readonly<Record<string, string | null>>): Promise<void> {
  const data = Object.entries(content).map(([key, text]) => [key, text && Buffer.from(text).toString('base64')]);
  await admin.patch(Secret, SECRET, { data: Object.fromEntries(data) as object }, { namespace: NAMESPACE });
}

test('between the installation and the first caBundle, only reviewed writes fail, and the definition is served', async () => {
  expect(await bundles()).toEqual(['']);
  const { status } = await admin.get(CustomResourceDefinition, 'guardedsets.guarded.example.com');
  expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
  expect((await admin.list(GuardedSet)).items).toEqual([]);
  await eventually(async () => {
    await expect(create('too-early')).rejects.toThrow(
      /failed calling webhook|conversion webhook for .* failed/, // whichever is called first
    );
  });
  await admin.create(ConfigMap, { metadata: { name: 'other', namespace: 'default' } });
});

test('an operator with the permissions of its manifests serves certificates that the API server trusts (W12, W15)', async () => {
  const failures: string[] = [];
  let created = 0;
  const stop = new AbortController();
  const creating = (async () => {
    for (let index = 0; !stop.signal.aborted; index++) {
      try {
        await create(`early-${index}`);
        created++;
      } catch (error) {
        if (created > 0) failures.push((error as Error).message);
      }
      await delay(20);
    }
  })();
  const pods = await Promise.all([startPod(), startPod(), startPod(), startPod()]);
  await eventually(() => expect(created).toBeGreaterThan(20), { timeout: '20s' });
  stop.abort();
  await creating;
  expect(failures).toEqual([]);
  const [{ zone, size }] = (await admin.list(GuardedSet)).items as unknown as [{ zone: string; size: string }];
  expect({ zone, size }).toEqual({ zone: 'a', size: 'small' });

  const [bundle] = await bundles();
  await applyObjects(admin, objects); // server-side, as GitOps controllers do
  expect(await bundles()).toEqual([bundle]);
  expect(Object.keys(await secretData())).toEqual(['ca.crt', 'ca.key']);
  // All of them write at the same time, and one succeeds.
  const messages = pods.flatMap(({ manager }) => manager.logger.messages());
  expect(messages.filter((message) => /^Stored the authority/.test(message))).toHaveLength(1);
  for (const [kind, name] of CONFIGURATIONS) {
    const { metadata } = await admin.get(kind, name);
    const object = objects.find((each) => each.metadata.name === name && each.kind === toKindRef(kind).kind)!;
    const replaced = { ...object, metadata: { ...object.metadata, resourceVersion: metadata.resourceVersion! } };
    await admin.update(kind as never, replaced as never);
  }
  await eventually(async () => expect(await bundles()).toEqual([bundle]), { timeout: '20s' });
  await admin.patch(Secret, SECRET, { data: null }, { namespace: NAMESPACE });
  await eventually(async () => expect(Object.keys(await secretData())).toEqual(['ca.crt', 'ca.key']), {
    timeout: '30s',
  });
  expect(await bundles()).toEqual([bundle]);
  await create('later');

  const user = `system:serviceaccount:${NAMESPACE}:${ACCOUNT.name}`;
  const calls = (await cluster.auditEvents()).filter((call) => call.user === user);
  expect(calls.filter(({ code }) => code === 403)).toEqual([]);
  const used = new Set(calls.map(({ verb, resource }) => `${verb} ${resource ?? ''}`));
  const granted = objects
    .filter(({ metadata }) => metadata.name === 'guardedset-webhook-certificates-role')
    .flatMap(({ rules }) => rules as { resources: string[]; verbs: string[] }[])
    .flatMap(({ resources, verbs }) => verbs.map((verb) => `${verb} ${String(resources[0])}`));
  expect(granted.filter((permission) => !used.has(permission))).toEqual([]);
  await Promise.all(pods.map(stopPod));
});

test('a client that removes the caBundle again and again is named in one Event about the configuration', async () => {
  const [, [kind, name]] = CONFIGURATIONS;
  const pod = await startPod();
  const [bundle] = await bundles();
  for (let round = 0; round < 4; round++) {
    const { webhooks = [] } = await admin.get(kind, name);
    const emptied = webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: { ...webhook.clientConfig, caBundle: null },
    }));
    await admin.patch(kind, name, { webhooks: emptied }, { type: 'merge' });
    await eventually(async () => expect(await bundles()).toEqual([bundle]), { timeout: '20s' });
  }
  const events = await eventually(
    async () => {
      const { items } = await admin.list(EventsEvent, { namespace: 'default' });
      const found = items.filter(({ reason }) => reason === 'ContestedField');
      expect(found).toHaveLength(1);
      return found;
    },
    { timeout: '20s' },
  );
  const { metadata } = await admin.get(kind, name);
  expect(events).toMatchObject([
    {
      type: 'Warning',
      reportingController: 'guardedset',
      regarding: { kind: 'ValidatingWebhookConfiguration', name, uid: metadata.uid },
      note: expect.stringMatching(
        /^Another client changes the caBundle of ValidatingWebhookConfiguration .* again and again: /,
      ),
    },
  ]);
  await stopPod(pod);
});

const WRITES_PER_SECOND = 200;
/** Limits the requests in progress, and so the time that each waits on a machine that does not reach the rate. */
const LOADED_OBJECTS = 16;
/**
 * The part of the objects that are written in the version that is not stored. For one such write, the API server calls
 * the conversion many times, one after another.
 */
const CONVERTED_PART = 1 / 8;

/** Writes objects of both versions. */
async function startLoad(prefix: string, perSecond: number): Promise<SteadyWrites> {
  const names = Array.from({ length: LOADED_OBJECTS }, (_, index) => `${prefix}-${index}`);
  const converted = new Set(names.slice(0, LOADED_OBJECTS * CONVERTED_PART));
  const kindOf = (name: string) => (converted.has(name) ? GuardedSetV1Beta1 : GuardedSet);
  const fieldsOf = (name: string) => (converted.has(name) ? { replicas: 'small' } : { size: 'small' });
  await Promise.all(
    names.map((name) => admin.create(kindOf(name), { metadata: { name, namespace: 'default' }, ...fieldsOf(name) })),
  );
  return new SteadyWrites(perSecond, names, (name, index) =>
    admin.patch(kindOf(name), name, { metadata: { annotations: { write: String(index) } } }, { namespace: 'default' }),
  );
}

test('a rotation of the authority and rolling updates under load fail no call (W13, W20)', async () => {
  const clock = new FastClock(); // 15 s instead of 90 s before a new authority signs
  let pods: readonly Pod[] = await Promise.all([startPod(clock), startPod(clock)]);
  load = await startLoad('loaded', WRITES_PER_SECOND);
  const former = (await secretData())['ca.crt'];
  const { signing: next } = initialAuthority('', Date.now());
  await patchAuthority(secretContent({ next: next! }));
  pods = await rollingUpdate(pods, clock);
  await eventually(
    async () => {
      const { 'ca.crt': signing, 'previous-ca.crt': previous } = await secretData();
      expect(signing).not.toBe(former);
      expect(previous).toBe(former);
    },
    { timeout: '50s' },
  );
  pods = await rollingUpdate(pods, clock);
  const passed = Buffer.from('2026-01-01T00:00:00Z').toString('base64');
  await admin.patch(Secret, SECRET, { data: { 'previous-ca.until': passed } }, { namespace: NAMESPACE });
  await eventually(
    async () => {
      const { 'ca.crt': signing, ...others } = await secretData();
      expect(Object.keys(others)).toEqual(['ca.key']);
      expect(await bundles()).toEqual([signing]);
    },
    { timeout: '50s' },
  );
  const { failures, writes, omitted, perSecond } = await load.stop();
  if (process.env['SHOW_RATES'])
    process.stderr.write(`${writes} writes, ${Math.round(perSecond)} per second; ${omitted} omitted\n`);
  expect(failures).toEqual([]);
  expect(writes).toBeGreaterThan(100); // a busy machine sends fewer
  await Promise.all(pods.map(stopPod));
});

test('ten rolling updates in a row fail no call while the manifests are applied during each (W15, W20)', async () => {
  let pods: readonly Pod[] = await Promise.all([startPod(), startPod()]);
  load = await startLoad('updated', WRITES_PER_SECOND / 4);
  const stopping: Promise<void>[] = [];
  for (let update = 0; update < 10; update++)
    [pods] = await Promise.all([replaced(pods, stopping), applyObjects(admin, objects)]);
  await Promise.all(stopping);
  const { failures, writes } = await load.stop();
  expect(failures).toEqual([]);
  expect(writes).toBeGreaterThan(100);
  await Promise.all(pods.map(stopPod));
});

async function rollingUpdate(pods: readonly Pod[], clock: Clock): Promise<Pod[]> {
  const stopping: Promise<void>[] = [];
  const updated = await replaced(pods, stopping, clock);
  await Promise.all(stopping);
  return updated;
}

/** Starts to stop each pod when its successor is ready. */
async function replaced(pods: readonly Pod[], stopping: Promise<void>[], clock?: Clock): Promise<Pod[]> {
  const updated: Pod[] = [];
  for (const pod of pods) {
    updated.push(await startPod(clock));
    stopping.push(stopPod(pod));
  }
  return updated;
}

test('an authority that a clock ahead of time has created is replaced, and writes pass (F102)', async () => {
  const absent = Object.fromEntries(Object.keys(await secretData()).map((key) => [key, null]));
  const ahead = secretContent(initialAuthority('', Date.now() + 5 * 3600_000));
  await patchAuthority({ ...absent, ...ahead });
  const pod = await startPod(new FastClock());
  await create('after-a-wrong-clock');
  const certPem = Buffer.from((await secretData())['ca.crt'] ?? '', 'base64').toString();
  expect(certPem).not.toBe(ahead['ca.crt']);
  await stopPod(pod);
});

test('another client that sets its own caBundle is named in one warning for each object', async () => {
  const pod = await startPod();
  const { signing } = initialAuthority('', Date.now());
  const caBundle = Buffer.from(signing!.certPem).toString('base64');
  const [[configuration, name]] = CONFIGURATIONS;
  const options = { fieldManager: 'cert-manager-cainjector' };
  const conversion = { webhook: { clientConfig: { caBundle } } };
  const first = [{ op: 'replace', path: '/webhooks/0/clientConfig/caBundle', value: caBundle }] as const;
  const warnings = () => pod.manager.logger.lines.filter(({ message }) => message.startsWith('Another client'));
  await eventually(
    async () => {
      await admin.patch(CustomResourceDefinition, 'guardedsets.guarded.example.com', { spec: { conversion } }, options);
      await admin.patch(configuration, name, first, { ...options, type: 'json' });
      expect(warnings()).toHaveLength(2);
    },
    { timeout: '50s' },
  );
  for (const { fields } of warnings())
    expect(fields).toMatchObject({ writer: 'field manager "cert-manager-cainjector"' });
  await stopPod(pod);
});
