import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  type Context,
  Controller,
  CustomResource,
  CustomResourceDefinition,
  Deployment,
  Field,
  Finalizer,
  Ingress,
  Kind,
  kindByName,
  loadClusterConfig,
  Namespace,
  NotFoundError,
  ObjectController,
  type OperatorError,
  Owns,
  Rbac,
  Secret,
  Watches,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const GROUP = 'controllers.example.com';
const namespace = 'default';
let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager | undefined;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Shelf]);
});
afterEach(() => manager?.stop());
afterAll(async () => {
  client.close();
  await cluster.stop();
});

async function run(...classes: Parameters<typeof RunningManager.start>[1]): Promise<RunningManager> {
  manager = await RunningManager.start(client, classes);
  return manager;
}

const container = { name: 'app', image: 'nginx' };
const deployment = (name: string) => ({
  metadata: { name, namespace },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [container] } },
  },
});

/** Writes the images of a Deployment to a ConfigMap that it owns. */
@Controller({ for: Deployment })
@Owns(ConfigMap)
@Watches(Namespace, () => [])
class ImageList extends ObjectController<Deployment> {
  async reconcile(ctx: Context): Promise<void> {
    const { metadata, spec } = this.object;
    if (!metadata.name.startsWith('images-')) return;
    const images = spec?.template.spec?.containers.map(({ image }) => image).join(' ') ?? '';
    await ctx.apply(ConfigMap, { metadata: { name: metadata.name }, data: { images } });
  }
}

test('a controller of Deployments owns objects of another kind, and restores them', async () => {
  await run(ImageList);
  await client.create(Deployment, deployment('images-a'));
  const imagesOf = async () => (await client.get(ConfigMap, 'images-a', { namespace })).data;
  await eventually(async () => expect(await imagesOf()).toEqual({ images: 'nginx' }));
  const { metadata } = await client.get(ConfigMap, 'images-a', { namespace });
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'Deployment', name: 'images-a', controller: true }]);
  await client.patch(ConfigMap, 'images-a', { data: { images: 'edited' } }, { namespace });
  await eventually(async () => expect(await imagesOf()).toEqual({ images: 'nginx' }));
  const manifest = { spec: { template: { spec: { containers: [{ ...container, image: 'caddy' }] } } } };
  await client.patch(Deployment, 'images-a', manifest, { namespace });
  await eventually(async () => expect(await imagesOf()).toEqual({ images: 'caddy' }));
});

/** Keeps a ConfigMap in each Namespace that it owns. */
@Controller({ for: Namespace })
@Owns(ConfigMap)
class Greetings extends ObjectController<Namespace> {
  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.object.metadata;
    if (name !== 'greeted') return;
    await ctx.apply(ConfigMap, { metadata: { name: 'greeting', namespace: name }, data: { text: 'hello' } });
  }
}

test('a controller of a kind of the core group restores an owned object that is deleted', async () => {
  await run(Greetings);
  await client.create(Namespace, { metadata: { name: 'greeted' } });
  const greeting = () => client.get(ConfigMap, 'greeting', { namespace: 'greeted' });
  await eventually(greeting);
  const { metadata } = await greeting();
  expect(metadata.ownerReferences).toMatchObject([{ apiVersion: 'v1', kind: 'Namespace', controller: true }]);
  await client.delete(ConfigMap, 'greeting', { namespace: 'greeted' });
  await eventually(async () => expect((await greeting()).metadata.uid).not.toBe(metadata.uid));
});

/** Publishes the address of an Ingress. */
@Controller({ for: Ingress, writesStatus: true })
class Addresses extends ObjectController<Ingress> {
  reconcile(): void {
    this.object.status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  }
}

test('a controller of Ingresses writes their status', async () => {
  await run(Addresses);
  const defaultBackend = { service: { name: 'web', port: { number: 80 } } };
  await client.create(Ingress, { metadata: { name: 'web', namespace }, spec: { defaultBackend } });
  await eventually(async () => {
    const { status } = await client.get(Ingress, 'web', { namespace });
    expect(status?.loadBalancer?.ingress).toMatchObject([{ ip: '192.0.2.1' }]);
  });
});

@Controller({ for: Ingress, name: 'forgetful' })
class WithoutOption extends ObjectController<Ingress> {
  reconcile(): void {
    this.object.status = { loadBalancer: { ingress: [{ ip: '192.0.2.2' }] } };
  }
}

test('a changed status that is not written is an error with the option to add', async () => {
  const running = await run(WithoutOption);
  const defaultBackend = { service: { name: 'web', port: { number: 80 } } };
  await client.create(Ingress, { metadata: { name: 'unwritten', namespace }, spec: { defaultBackend } });
  const { fields } = await running.logged(/Reconciler error/);
  const { message, hint } = fields['err'] as OperatorError;
  expect(message).toMatch(/WithoutOption\.object\.status\S* was changed by reconcile; the change is not written$/);
  expect(hint).toBe('@Controller({ …, writesStatus: true })');
});

const revoked: string[] = [];
const deleted: string[] = [];

/** Keeps a Secret until it is revoked. */
@Controller({ for: Secret })
class Revocation extends ObjectController<Secret> {
  reconcile(): void {
    return undefined;
  }

  @Finalizer(`${GROUP}/revocation`)
  revoke(): void {
    const { name } = this.object.metadata;
    if (name.startsWith('token-')) revoked.push(name);
  }

  override deleted(): void {
    deleted.push(this.object.metadata.name);
  }
}

test('a finalizer of a controller of Secrets runs before a Secret is deleted', async () => {
  await run(Revocation);
  await client.create(Secret, { metadata: { name: 'token-a', namespace }, stringData: { token: 'hunter2' } });
  const secret = () => client.get(Secret, 'token-a', { namespace });
  await eventually(async () => expect((await secret()).metadata.finalizers).toEqual([`${GROUP}/revocation`]));
  await client.delete(Secret, 'token-a', { namespace });
  await eventually(() => expect(secret()).rejects.toThrow(NotFoundError));
  expect(revoked).toEqual(['token-a']);
  await eventually(() => expect(deleted).toContain('token-a'));
});

@Controller({ for: Secret })
class Flapping extends ObjectController<Secret> {
  async reconcile(ctx: Context): Promise<void> {
    if (this.object.metadata.name !== 'flapping') return;
    const value = Buffer.from(`hunter${Math.random()}`).toString('base64');
    await ctx.patch(Secret, 'flapping', { data: { password: value } });
  }
}

@Controller({ for: Secret })
class Careless extends ObjectController<Secret> {
  reconcile(): void {
    if (this.object.metadata.name === 'flapping') this.object.data = { password: 'hunter2' };
  }
}

test('no log line contains the content of a Secret', async () => {
  const running = await run(Flapping, Careless);
  await client.create(Secret, { metadata: { name: 'flapping', namespace }, stringData: { password: 'hunter2' } });
  await running.logged(/Hot loop/);
  await running.logged(/Reconciler error/);
  const encoded = Buffer.from('hunter').toString('base64');
  expect(JSON.stringify(running.logger.lines)).not.toMatch(new RegExp(`hunter|${encoded}`));
});

@Kind({ group: GROUP, version: 'v1' })
class Shelf extends CustomResource {
  @Field({ type: 'object', preserveUnknownFields: true, optional: true }) status?: { books?: number };

  reconcile(): void {
    this.status = { books: 1 };
  }
}

@Controller({ for: Shelf, name: 'shelf-labels' })
@Rbac(Shelf, 'patch')
class ShelfLabels extends ObjectController<Shelf> {
  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.object.metadata;
    await ctx.patch(Shelf, name, { metadata: { labels: { books: String(this.object.status?.books) } } });
  }
}

@Controller({ for: Shelf, name: 'shelf-copies', predicate: () => true })
@Owns(ConfigMap)
class ShelfCopies extends ObjectController<Shelf> {
  async reconcile(ctx: Context): Promise<void> {
    const { name, labels = {} } = this.object.metadata;
    await ctx.apply(ConfigMap, { metadata: { name: `copy-of-${name}` }, data: { books: labels['books'] ?? 'none' } });
  }
}

test('several controllers reconcile one kind, each with its own name and field manager', async () => {
  const running = await run(Shelf, ShelfLabels, ShelfCopies);
  await client.create(Shelf, { metadata: { name: 'top', namespace } });
  await eventually(async () => {
    const { metadata, data } = await client.get(ConfigMap, 'copy-of-top', { namespace });
    expect(data).toEqual({ books: expect.stringMatching(/^(1|undefined)$/) });
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Shelf', name: 'top' }]);
    expect((await client.get(Shelf, 'top', { namespace })).status).toEqual({ books: 1 });
  });
  const { items } = await client.list(ConfigMap, { namespace, keepManagedFields: true });
  const copy = items.find(({ metadata }) => metadata.name === 'copy-of-top');
  expect(JSON.stringify(copy)).toContain('"manager":"shelf-copies"');
  const names = running.logger.lines
    .filter(({ message }) => message === 'Started workers')
    .map(({ fields }) => fields['controller']);
  expect(names.sort()).toEqual(['shelf', 'shelf-copies', 'shelf-labels']);
});

const Lamp = kindByName({ group: GROUP, version: 'v1', kind: 'Lamp', scope: 'Cluster' });

@Controller({ for: Lamp, writesStatus: true })
class Lamps extends ObjectController {
  reconcile(): void {
    const { spec } = this.object as { spec?: { on?: boolean } };
    this.object['status'] = { light: spec?.on === true ? 'on' : 'off' };
  }
}

test('a controller of a kind by name reconciles it as soon as its definition is installed', async () => {
  const running = new RunningManager(client, [Lamps]);
  manager = running;
  await running.logged(/could not find the requested resource lamps/);
  await client.create(CustomResourceDefinition, {
    metadata: { name: `lamps.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { kind: 'Lamp', plural: 'lamps' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  await running.workersStarted();
  await eventually(() => client.create(Lamp, { metadata: { name: 'desk' }, spec: { on: true } }));
  await eventually(async () => expect((await client.get(Lamp, 'desk'))['status']).toEqual({ light: 'on' }));
});
