import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  Controller,
  CustomResource,
  Field,
  InformerFactory,
  Kind,
  loadClusterConfig,
  partOf,
  Pod,
  Rbac,
  Secret,
  Service,
  Watches,
  type Context,
  type KindRef,
  type KubeObject,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { installKinds, RunningManager } from './running-manager.js';

const MapData = partOf(ConfigMap, { fields: ['data'] });
const SecretNames = partOf(Secret, { metadataOnly: true });

class ReaderSpec {
  @Field() value!: string;
}

/** Reads parts of the objects with its name; only readers with the label `app=x` are reconciled. */
@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Controller({ cache: { labelSelector: 'app=x' } })
@Watches(MapData, ({ metadata }) => [metadata.name])
@Watches(SecretNames, ({ metadata }) => [metadata.name])
@Rbac(ConfigMap, 'create', 'update')
@Rbac(Secret, 'get')
@Rbac(Service, 'get', 'list', 'update')
class Reader extends CustomResource {
  static readonly runs = new Map<string, (reader: Reader, ctx: Context) => unknown>();
  static readonly left: string[] = [];
  @Field() spec!: ReaderSpec;

  async reconcile(ctx: Context): Promise<void> {
    await Reader.runs.get(this.metadata.name)?.(this, ctx);
  }

  override deleted(): void {
    Reader.left.push(this.metadata.name);
  }
}

const namespace = 'default';
const labels = { app: 'x' };
let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;
let name = '';
let count = 0;

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Reader]);
  manager = await RunningManager.start(client, [Reader]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});
beforeEach(() => {
  name = `reader-${String(++count)}`;
});

/** Creates a reader; resolves to the results of its reconciles so far. */
async function reading<T>(read: (ctx: Context) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  Reader.runs.set(name, async (_reader, ctx) => results.push(await read(ctx)));
  await client.create(Reader, { metadata: { name, namespace, labels }, spec: { value: 'a' } });
  await eventually(() => expect(results).not.toHaveLength(0));
  return results;
}

describe('a controller with parts of kinds', () => {
  test('a controller reads a part with metadata only from the cache, and the whole object from the server', async () => {
    const annotations = { note: 'x' };
    await client.create(Secret, { metadata: { name, namespace, annotations }, stringData: { password: 'p' } });
    const [[names, part, whole] = []] = await reading((ctx) =>
      Promise.all([ctx.list(SecretNames), ctx.get(SecretNames, name), ctx.get(Secret, name)]),
    );
    expect(names?.every((object) => !('data' in object))).toBe(true);
    expect(part).toMatchObject({ apiVersion: 'v1', kind: 'Secret', metadata: { name, annotations } });
    expect(whole?.data).toEqual({ password: Buffer.from('p').toString('base64') });
  });

  test('a controller of a part reconciles changes of the part only', async () => {
    await client.create(ConfigMap, { metadata: { name, namespace }, data: { v: '1' } });
    const values = await reading(async (ctx) => (await ctx.get(MapData, name))?.data?.['v']);
    await client.patch(ConfigMap, name, { metadata: { annotations: { note: 'x' } } }, { namespace });
    await client.patch(ConfigMap, name, { data: { v: '2' } }, { namespace });
    await eventually(() => expect(values.at(-1)).toBe('2'));
    expect(values.filter((value) => value === '1')).toHaveLength(1);
  });

  test('an update of an object does not lose the fields outside of the part', async () => {
    const annotations = { note: 'x' };
    await client.create(ConfigMap, { metadata: { name, namespace, annotations }, data: { v: '1' } });
    const reads = await reading(async (ctx) => {
      const map = await ctx.get(MapData, name);
      if (map) await ctx.update(MapData, map, (draft) => (draft.data = { v: '2' }));
      return ctx.get(MapData, name);
    });
    expect(reads[0]).toMatchObject({ data: { v: '2' } });
    expect(reads[0]?.metadata).not.toHaveProperty('annotations');
    expect(await client.get(ConfigMap, name, { namespace })).toMatchObject({
      metadata: { annotations },
      data: { v: '2' },
    });
  });

  test('an update of a listed part of a kind that is not cached does not lose the other fields', async () => {
    const ServiceNames = partOf(Service, { metadataOnly: true });
    await client.create(Service, { metadata: { name, namespace, labels }, spec: { ports: [{ port: 80 }] } });
    await reading(async (ctx) => {
      const listed = await ctx.list(ServiceNames, { labels });
      for (const service of listed) {
        await ctx.update(ServiceNames, service, (draft) => (draft.metadata.labels = { seen: 'yes' }));
      }
      return listed;
    });
    expect(await client.get(Service, name, { namespace })).toMatchObject({
      metadata: { labels: { seen: 'yes' } },
      spec: { ports: [{ port: 80 }] },
    });
  });

  test('an object that leaves the selector of its part is handled like a deleted one', async () => {
    const runs = await reading(() => Promise.resolve('run'));
    await client.patch(Reader, name, { metadata: { labels: { app: null } } }, { namespace });
    await eventually(() => expect(Reader.left).toContain(name));
    await client.patch(Reader, name, { spec: { value: 'b' } }, { namespace });
    await client.patch(Reader, name, { metadata: { labels } }, { namespace });
    await eventually(() => expect(runs).toHaveLength(2));
  });
});

describe('caches of parts under churn', () => {
  let factory: InformerFactory;
  let space = '';
  beforeEach(async () => {
    space = `churn-${String(count)}`;
    await cluster.kubectl(['create', 'namespace', space]);
    factory = new InformerFactory(client, { namespaces: [space] });
  });
  afterEach(() => factory.stop());

  /** A random sequence that is the same in each run. */
  function* numbers(): Generator<number> {
    for (let state = 7; ; state = (state * 48271) % 2147483647) yield state;
  }

  const expected = async (kind: KindRef): Promise<KubeObject[]> => {
    const { items } = await client.list(kind, { namespace: space });
    return items.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  };

  test('a cache with a label selector contains each own write immediately, and ends as on the server', async () => {
    const Selected = partOf(ConfigMap, { labelSelector: 'app in (x,z)', metadataOnly: true });
    const [informer] = factory.informersFor(Selected);
    factory.start();
    await factory.synced();
    const random = numbers();
    const next = (below: number): number => random.next().value % below;
    for (let round = 0; round < 150; round++) {
      const target = `map-${next(8)}`;
      const app = ['x', 'y', 'z'][next(3)] ?? '';
      const isOwn = next(3) > 0;
      const metadata = { name: target, namespace: space, labels: { app } };
      const written = await client.apply(ConfigMap, { metadata, data: { round: String(round) } });
      if (!isOwn) continue;
      informer?.observe(written);
      const read = informer?.lister.get(target, space);
      expect(read?.metadata.labels).toEqual(app === 'y' ? undefined : { app });
      expect(read ?? {}).not.toHaveProperty('data');
    }
    await eventually(async () => expect(informer?.lister.list()).toEqual(await expected(Selected)));
    expect(informer?.lister.size).toBeGreaterThan(0);
  });

  test('a cache with a field selector contains each own write immediately, and ends as on the server', async () => {
    const Failed = partOf(Pod, { fieldSelector: 'status.phase=Failed', fields: ['status.phase'] });
    const [informer] = factory.informersFor(Failed);
    factory.start();
    await factory.synced();
    const spec = { containers: [{ name: 'a', image: 'x' }] };
    const metadata = { namespace: space };
    await client.create(
      { group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', scope: 'Namespaced' },
      { metadata: { ...metadata, name: 'default' } },
    );
    for (const pod of ['a', 'b', 'c']) await client.create(Pod, { metadata: { ...metadata, name: pod }, spec });
    const random = numbers();
    for (let round = 0; round < 60; round++) {
      const pod = ['a', 'b', 'c'][random.next().value % 3] ?? '';
      const phase = random.next().value % 2 === 0 ? 'Failed' : 'Unknown';
      const options = { namespace: space, subresource: 'status' };
      informer?.observe(await client.patch(Pod, pod, { status: { phase } }, options));
      expect(informer?.lister.get(pod, space)?.status?.phase).toBe(phase === 'Failed' ? phase : undefined);
    }
    await eventually(async () => expect(informer?.lister.list()).toEqual(await expected(Failed)));
  });
});
