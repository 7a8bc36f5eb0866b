import { afterEach, describe, expect, test } from '@jest/globals';
import {
  ConfigMap,
  Controller,
  CustomResource,
  Field,
  Kind,
  Manager,
  partOf,
  Secret,
  Watches,
  type CacheUsage,
  type Context,
  type KindRef,
} from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';

class WatcherSpec {
  @Field() map!: string;
  @Field({ optional: true }) large?: string;
}

class WatcherStatus {
  @Field({ items: String }) maps?: string[];
  @Field({ optional: true }) value?: string;
  @Field({ optional: true }) large?: string;
}

type Seen = Readonly<{ maps: string[]; mapped: string[] }>;
const seen: Seen = { maps: [], mapped: [] };

/** Reads ConfigMaps, and writes one of them. */
@Kind({ group: 'test.example.com', version: 'v1' })
@Controller({
  cache: {
    labelSelector: 'cached=yes',
    transform: (watcher: Watcher) => {
      delete watcher.spec.large;
      return watcher;
    },
  },
})
@Watches(ConfigMap, ({ metadata }, cache) => {
  seen.mapped.push(metadata.name);
  return cache.list(Watcher).map((watcher) => watcher.metadata);
})
class Watcher extends CustomResource {
  @Field() spec!: WatcherSpec;
  @Field() status!: WatcherStatus;

  async reconcile(ctx: Context): Promise<void> {
    const found = await ctx.list(ConfigMap);
    this.status.maps = found.map(({ metadata }) => metadata.name);
    const map = await ctx.get(ConfigMap, this.spec.map);
    if (map && map.data?.['changed'] === undefined) {
      await ctx.update(ConfigMap, map, (draft) => (draft.data = { ...draft.data, changed: 'yes' }));
      this.status.value = (await ctx.get(ConfigMap, this.spec.map))?.data?.['changed'] ?? 'no';
    }
    if (this.spec.large !== undefined) this.status.large = this.spec.large;
  }
}

const namespace = 'default';
let cluster: Cluster | undefined;
const stop = new AbortController();
afterEach(async () => {
  stop.abort();
  await cluster?.stop();
});

const Cached = partOf(ConfigMap, {
  labelSelector: 'cached=yes',
  transform: (map) => {
    delete map.data?.['secret'];
    return map;
  },
});

describe('caches of an operator', () => {
  test('classes that name a kind alone cache and read the part of the operator, and write whole objects', async () => {
    cluster = await startCluster();
    const { client } = cluster;
    await cluster.install(Watcher);
    const labels = { cached: 'yes' };
    const map = (name: string) => ({ metadata: { name, namespace }, data: { secret: 'x', plain: 'y' } });
    await client.create(ConfigMap, { ...map('in'), metadata: { name: 'in', namespace, labels } });
    await client.create(ConfigMap, map('out'));
    await client.create(Watcher, { metadata: { name: 'w', namespace, labels }, spec: { map: 'in', large: 'text' } });
    let usages: readonly CacheUsage[] = [];
    const onCachesSynced = (measure: () => readonly CacheUsage[]): void => {
      usages = measure();
    };
    const manager = new Manager({ client, namespaces: [namespace], caches: [Cached], onCachesSynced });
    const ended = manager.add(Watcher).run(stop.signal);
    await eventually(async () => {
      const { status } = await client.get(Watcher, 'w', { namespace });
      expect(status).toEqual({ maps: ['in'], value: 'yes' });
    });
    expect((await client.get(ConfigMap, 'in', { namespace })).data).toEqual({
      secret: 'x',
      plain: 'y',
      changed: 'yes',
    });
    expect((await client.get(Watcher, 'w', { namespace })).spec.large).toBe('text');
    expect(new Set(seen.mapped)).toEqual(new Set(['in']));
    expect(usages.map(({ kind, objects }) => [kind.kind, objects, kind.part?.labelSelector]).sort()).toEqual([
      ['ConfigMap', 1, 'cached=yes'],
      ['Watcher', 1, 'cached=yes'],
    ]);
    await manager.remove(Watcher);
    stop.abort();
    await ended;
  });

  test.each<[string, readonly KindRef[], string]>([
    ['whole kinds', [Secret], 'caches of the operator: not a part of a kind'],
    ['parts with fields', [partOf(Secret, { fields: ['type'] })], 'the part of Secret has fields'],
    ['metadata only', [partOf(Secret, { metadataOnly: true })], 'the part of Secret has fields'],
    ['two parts of a kind', [Cached, partOf(ConfigMap, { labelSelector: 'a' })], 'there are two parts of ConfigMap'],
  ])('%s are an error', async (_, caches, message) => {
    cluster = await startCluster();
    const { client } = cluster;
    expect(() => new Manager({ client, caches })).toThrow(
      expect.objectContaining({ code: 'E_PART', message: expect.stringContaining(message) }),
    );
  });
});
