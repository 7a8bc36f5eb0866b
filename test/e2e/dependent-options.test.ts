import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  Condition,
  ConfigMap,
  CustomResource,
  Dependent,
  Deployment,
  type Desired,
  Field,
  Kind,
  loadClusterConfig,
  NotFoundError,
  Secret,
  StatefulSet,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { grantedClient } from './granted-account.js';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { restartGarbageCollector, startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
/** The garbage collector tries again what has failed after up to 30 s. */
const COLLECTED = { timeout: '60s' };

class Status {
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'], optional: true }) conditions?: Condition[];
}

class VaultSpec {
  @Field() service!: string;
  @Field({ optional: true }) isBroken?: boolean;
}

/** Its StatefulSet has an immutable field. */
@Kind({ group: 'options.example.com', version: 'v1' })
class Vault extends CustomResource {
  @Field() spec!: VaultSpec;
  @Field() status!: Status;

  @Dependent(StatefulSet, { recreate: 'immutable' })
  store(): Desired<StatefulSet> {
    const labels = { app: this.metadata.name };
    return {
      metadata: { name: this.metadata.name },
      spec: {
        replicas: 0,
        serviceName: this.spec.service,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels: this.spec.isBroken ? { app: 'another' } : labels },
          spec: { containers: [{ name: 'vault', image: 'vault' }] },
        },
      },
    };
  }
}

class ClientAppSpec {
  @Field() secret!: string;
}

/** Needs a Secret that someone else creates. */
@Kind({ group: 'options.example.com', version: 'v1' })
class ClientApp extends CustomResource {
  @Field() spec!: ClientAppSpec;
  @Field() status!: Status;

  @Dependent(Secret, { observeOnly: true, ready: ({ data }) => data?.['key'] !== undefined })
  credentials(): Desired<Secret> {
    return { metadata: { name: this.spec.secret } };
  }

  @Dependent(ConfigMap, { dependsOn: ['credentials'] })
  settings(): Desired<ConfigMap> {
    return { metadata: { name: `${this.metadata.name}-settings` } };
  }
}

class ArchiveSpec {
  @Field() title!: string;
}

/** Its objects outlive it. */
@Kind({ group: 'options.example.com', version: 'v1' })
class Archive extends CustomResource {
  @Field() spec!: ArchiveSpec;
  @Field() status!: Status;

  @Dependent(ConfigMap, { onDelete: 'keep' })
  data(): Desired<ConfigMap> {
    return { metadata: { name: `${this.metadata.name}-data` }, data: { title: this.spec.title } };
  }

  @Dependent(Secret, { onDelete: 'keep', createOnly: true })
  key(): Desired<Secret> {
    return { metadata: { name: `${this.metadata.name}-key` }, stringData: { title: this.spec.title } };
  }
}

/** Its pods see a ConfigMap and a Secret. */
@Kind({ group: 'options.example.com', version: 'v1' })
class Site extends CustomResource {
  @Dependent(Deployment, { configHash: true })
  web(): Desired<Deployment> {
    const { name } = this.metadata;
    const labels = { app: name };
    const containers = [{ name: 'web', image: 'nginx', envFrom: [{ secretRef: { name: `${name}-token` } }] }];
    const volumes = [{ name: 'pages', configMap: { name: `${name}-pages`, optional: true } }];
    const template = { metadata: { labels }, spec: { containers, volumes } };
    return { metadata: { name }, spec: { replicas: 0, selector: { matchLabels: labels }, template } };
  }
}

const classes = [Vault, ClientApp, Archive, Site];
let cluster: SuiteControlPlane;
let client: Client;
let operator: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, classes);
  await restartGarbageCollector(cluster);
  operator = await grantedClient(cluster, client, 'dependent-options', classes);
  manager = await RunningManager.start(operator, classes);
});
afterAll(async () => {
  await manager.stop();
  operator.close();
  client.close();
  await cluster.stop();
});

const hasCondition = (kind: typeof Vault | typeof ClientApp, name: string, expected: object) =>
  eventually(async () => {
    const { status } = (await client.get(kind, name, { namespace })) as { readonly status?: Status };
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', ...expected }));
  }, COLLECTED);

test('a dependent with an immutable field that changes is deleted and created again, with an Event', async () => {
  await client.create(Vault, { metadata: { name: 'vault', namespace }, spec: { service: 'a' } });
  await hasCondition(Vault, 'vault', { status: 'True' });
  const before = await client.get(StatefulSet, 'vault', { namespace });
  await client.patch(Vault, 'vault', { spec: { service: 'b' } }, { namespace });
  await eventually(async () => {
    const after = await client.get(StatefulSet, 'vault', { namespace });
    expect(after.spec?.serviceName).toBe('b');
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
  }, COLLECTED);
  await hasCondition(Vault, 'vault', { status: 'True', message: '' });
  await eventually(async () => {
    const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
    const { items } = await client.request<{ items: { reason: string; note: string }[] }>({ method: 'GET', path });
    const notes = items.filter(({ reason }) => reason === 'Recreated').map(({ note }) => note);
    expect(notes).toEqual([
      expect.stringMatching(/^Deleted StatefulSet vault to create it again: .*updates to statefulset/),
    ]);
  });
});

test('a dependent that is invalid in itself is not deleted, although an immutable field changes too', async () => {
  await client.create(Vault, { metadata: { name: 'broken', namespace }, spec: { service: 'a' } });
  await hasCondition(Vault, 'broken', { status: 'True' });
  const before = await client.get(StatefulSet, 'broken', { namespace });
  await client.patch(Vault, 'broken', { spec: { service: 'b', isBroken: true } }, { namespace });
  await hasCondition(Vault, 'broken', { status: 'False', reason: 'DependentFailed' });
  const after = await client.get(StatefulSet, 'broken', { namespace });
  expect(after.metadata).toMatchObject({ uid: before.metadata.uid });
  expect(after.metadata.deletionTimestamp).toBeUndefined();
});

test('an observed dependent is waited for, never written, and reconciles the owner when it changes', async () => {
  await client.create(ClientApp, { metadata: { name: 'shop', namespace }, spec: { secret: 'shop-login' } });
  const missing = 'credentials is not ready: Secret shop-login does not exist; settings waits for credentials';
  await hasCondition(ClientApp, 'shop', { status: 'False', message: missing });
  await client.create(Secret, { metadata: { name: 'shop-login', namespace } });
  await hasCondition(ClientApp, 'shop', { message: 'credentials is not ready; settings waits for credentials' });
  await client.patch(Secret, 'shop-login', { stringData: { key: 'k' } }, { namespace });
  await hasCondition(ClientApp, 'shop', { status: 'True' });
  await client.get(ConfigMap, 'shop-settings', { namespace });
  const { metadata } = await client.get(Secret, 'shop-login', { namespace });
  expect([metadata.ownerReferences, metadata.annotations]).toEqual([undefined, undefined]);
});

test('kept dependents survive a deletion of the owner in the foreground, and its successor takes them over', async () => {
  await client.create(Archive, { metadata: { name: 'old', namespace }, spec: { title: 'first' } });
  const read = async () => {
    const data = await client.get(ConfigMap, 'old-data', { namespace });
    const key = await client.get(Secret, 'old-key', { namespace });
    return { data, key };
  };
  const first = await eventually(read);
  expect(first.data.metadata.ownerReferences).toBeUndefined();
  await client.delete(Archive, 'old', { namespace, propagationPolicy: 'Foreground' });
  await eventually(async () => {
    await expect(client.get(Archive, 'old', { namespace })).rejects.toBeInstanceOf(NotFoundError);
  }, COLLECTED);
  await client.create(Archive, { metadata: { name: 'old', namespace }, spec: { title: 'second' } });
  await eventually(async () => expect((await read()).data.data).toEqual({ title: 'second' }));
  const second = await read();
  expect(second.data.metadata.uid).toBe(first.data.metadata.uid);
  expect(second.key).toMatchObject({ metadata: { uid: first.key.metadata.uid }, data: first.key.data });
});

test('a kept dependent does not take over an object of another creator', async () => {
  await client.create(ConfigMap, { metadata: { name: 'alien-data', namespace }, data: { title: 'foreign' } });
  await client.create(Archive, { metadata: { name: 'alien', namespace }, spec: { title: 'mine' } });
  await eventually(async () => {
    const { status } = await client.get(Archive, 'alien', { namespace });
    const message =
      'data failed: ConfigMap default/alien-data already exists and was not created for Archive.options.example.com default/alien';
    expect(status?.conditions).toContainEqual(expect.objectContaining({ reason: 'DependentFailed', message }));
  });
  expect((await client.get(ConfigMap, 'alien-data', { namespace })).data).toEqual({ title: 'foreign' });
});

test('a change of the contents of a ConfigMap or Secret of a pod template changes the template', async () => {
  await client.create(Secret, { metadata: { name: 'site-token', namespace }, stringData: { token: '1' } });
  await client.create(Site, { metadata: { name: 'site', namespace } });
  const hash = async () => {
    const { spec } = await client.get(Deployment, 'site', { namespace });
    return spec?.template.metadata?.annotations?.['kindwright.dev/config-hash'];
  };
  const changed = (from: string | undefined) =>
    eventually(async () => {
      const present = await hash();
      expect(present).toMatch(/^[0-9a-f]{32}$/);
      expect(present).not.toBe(from);
      return present;
    });
  const first = await changed(undefined);
  await client.patch(Secret, 'site-token', { stringData: { token: '2' } }, { namespace });
  const second = await changed(first);
  await client.patch(Secret, 'site-token', { metadata: { labels: { seen: 'true' } } }, { namespace });
  await client.create(ConfigMap, { metadata: { name: 'site-pages', namespace }, data: { index: 'hello' } });
  const third = await changed(second);
  await client.delete(ConfigMap, 'site-pages', { namespace });
  await eventually(async () => expect(await hash()).toBe(second));
  await client.patch(Secret, 'site-token', { stringData: { token: '1' } }, { namespace });
  await eventually(async () => expect(await hash()).toBe(first));
  expect(third).not.toBe(first);
});
