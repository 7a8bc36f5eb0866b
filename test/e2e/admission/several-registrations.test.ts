import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  ConvertsTo,
  CustomResource,
  CustomResourceDefinition,
  Field,
  Kind,
  loadClusterConfig,
  move,
  Mutate,
  MutatingWebhookConfiguration,
  Namespace,
  type Review,
} from 'kindwright';
import type { Cancel } from '../../../src/base/clock.js';
import { SystemClock } from '../../../src/base/system-clock.js';
import { webhookConfigurations } from '../../../src/manifests/webhooks/webhook-configurations.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { installKinds, RunningManager } from '../sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from 'kindwright/testing';

const group = 'shared.example.com';

@Kind({ group, version: 'v1' })
class Shared extends CustomResource {
  @Mutate() fill(review: Review<Shared>): void {
    review.log.info(`reviewed ${this.metadata.name}`);
  }

  reconcile(): void {
    return undefined;
  }
}

@Kind({ group, version: 'v1' })
class Meter extends CustomResource {
  @Field({ optional: true }) size?: string;

  reconcile(): void {
    return undefined;
  }
}

@Kind({ group, version: 'v1beta1', kind: 'Meter' })
@ConvertsTo(Meter, [move('length', 'size')])
abstract class MeterV1Beta1 extends CustomResource {
  @Field({ optional: true }) length?: string;
}

const DEFINITION = `meters.${group}`;
const folder = mkdtempSync(join(tmpdir(), 'kindwright-several-'));
const identity = createServingIdentity(Date.now());
let cluster: SuiteControlPlane;
let client: Client;

beforeAll(async () => {
  writeFileSync(join(folder, 'tls.crt'), identity.certPem);
  writeFileSync(join(folder, 'tls.key'), identity.keyPem);
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Shared, Meter, MeterV1Beta1]);
});
afterAll(async () => {
  client.close();
  rmSync(folder, { recursive: true });
  await cluster.stop();
});

/** Starts the process of a developer, and resolves when the API server calls it. */
async function develop(target: typeof Shared | typeof Meter, namespaces: string[] = []): Promise<RunningManager> {
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  const manager = new RunningManager(client, [target], {
    namespaces,
    webhooks: { register: client, onServing: served },
  });
  await Promise.race([serving, manager.ended]);
  return manager;
}

/** Starts an operator with a configuration of its own, as a deployed one has. */
async function deploy(): Promise<RunningManager> {
  const manager = new RunningManager(client, [Shared], {
    webhooks: { bindAddress: '127.0.0.1:0', certDir: folder, drainTime: 0 },
  });
  const port = Number((await manager.logged(/^Serving webhooks$/)).fields.port);
  const caBundle = Buffer.from(identity.caPem).toString('base64');
  const [configuration] = webhookConfigurations(buildResourceModels([Shared]), {
    name: 'shared',
    labels: {},
    clientConfig: (path) => ({ url: `https://127.0.0.1:${port}${path}`, caBundle }),
  });
  await client.create(MutatingWebhookConfiguration, configuration as never);
  await eventually(async () => {
    await client.create(Shared, { metadata: { name: 'probe', namespace: 'default' } }, { dryRun: true });
    expect(manager.logger.messages()).toContain('reviewed probe');
  });
  return manager;
}

/** The time of the system, except that a test ends the time for a stop. */
class ImpatientClock extends SystemClock {
  endStop = (): void => undefined;

  override schedule(delayMs: number, callback: () => void): Cancel {
    if (delayMs !== 40_000) return super.schedule(delayMs, callback);
    this.endStop = callback;
    return () => undefined;
  }
}

const conversion = async () => (await client.get(CustomResourceDefinition, DEFINITION)).spec.conversion;

test('two developers and a deployed operator review the same kind without interfering (W24)', async () => {
  for (const name of ['a', 'b']) await client.create(Namespace, { metadata: { name } });
  const managers = { deployed: await deploy(), a: await develop(Shared, ['a']), b: await develop(Shared, ['b']) };
  const reviewers = async (namespace: string, name: string) => {
    await client.create(Shared, { metadata: { name, namespace } });
    return Object.entries(managers).flatMap(([key, { logger }]) =>
      logger.messages().includes(`reviewed ${name}`) ? [key] : [],
    );
  };
  expect(await reviewers('a', 'first')).toEqual(['deployed', 'a']);
  expect(await reviewers('b', 'second')).toEqual(['deployed', 'b']);
  expect(await reviewers('default', 'third')).toEqual(['deployed']);
  await managers.a.stop();
  await eventually(async () => expect(await reviewers('a', `fourth-${Date.now()}`)).toEqual(['deployed']));
  expect(await reviewers('b', 'fifth')).toEqual(['deployed', 'b']);
  await managers.deployed.stop();
  await managers.b.stop();
  const { items } = await client.list(MutatingWebhookConfiguration);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['shared-mutating-webhook-configuration']);
  await client.delete(MutatingWebhookConfiguration, 'shared-mutating-webhook-configuration');
});

test('a stop ends and names the registration that remains if the API server does not respond to its removal', async () => {
  let asked = (): void => undefined;
  const removing = new Promise<void>((resolve) => (asked = resolve));
  const silent = client.intercepted((request, send) => {
    if (request.method !== 'DELETE') return send(request);
    asked();
    return new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(new Error('late'))));
  });
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  const webhooks = { register: silent, onServing: served };
  const clock = new ImpatientClock();
  const manager = new RunningManager(client, [Shared], { webhooks, clock });
  await serving;
  const stopped = manager.stop();
  await removing;
  clock.endStop();
  await stopped;
  expect(manager.logger.messages('warn')).toEqual([
    'Open connections and requests are ended: the stop has taken 40 s',
    expect.stringMatching(/^Cannot remove MutatingWebhookConfiguration .*: the API server does not respond$/),
  ]);
  const { items: remaining } = await client.list(MutatingWebhookConfiguration);
  for (const { metadata } of remaining) await client.delete(MutatingWebhookConfiguration, metadata.name);
});

test('a second converter of a kind is rejected with the name of the first one, which continues (W24)', async () => {
  const first = await develop(Meter);
  const present = await conversion();
  await expect(develop(Meter)).rejects.toThrow(
    new RegExp(`objects of ${DEFINITION} are already converted by process ${process.pid} on `),
  );
  expect(await conversion()).toEqual(present);
  const metadata = { name: 'a', namespace: 'default' };
  await client.create(MeterV1Beta1, { metadata, length: '1' });
  expect(await client.get(Meter, 'a', { namespace: 'default' })).toMatchObject({ size: '1' });
  await first.stop();
  expect(await conversion()).toEqual({ strategy: 'None' });

  const service = { namespace: 'meter-system', name: 'meter-webhook-service', path: '/convert' };
  const webhook = { clientConfig: { service }, conversionReviewVersions: ['v1'] };
  const { spec } = await client.get(CustomResourceDefinition, DEFINITION);
  const deployed = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: DEFINITION },
    spec: { ...spec, conversion: { strategy: 'Webhook', webhook } },
  };
  await client.apply(CustomResourceDefinition, deployed, { force: true });
  await expect(develop(Meter)).rejects.toThrow(
    /by the operator behind the Service meter-system\/meter-webhook-service/,
  );
  await installKinds(client, [Meter, MeterV1Beta1]);
  expect(await conversion()).toMatchObject({ strategy: 'Webhook', webhook: { clientConfig: { service } } });
});
