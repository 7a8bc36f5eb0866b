import { afterEach, expect, test } from '@jest/globals';
import { ConfigMap, CustomResource, Informer, Kind, Manager, partOf, Watches, type CacheUsage } from 'kindwright';
import { startCluster, type Cluster } from 'kindwright/testing';
import type { ListWatcher } from '../../../src/cache/list-watcher.js';
import { allCacheUsages } from '../../../src/manager/informers/cache-usage.js';

const Names = partOf(ConfigMap, { metadataOnly: true, labelSelector: 'size' });

@Kind({ group: 'test.example.com', version: 'v1' })
@Watches(ConfigMap, () => [])
class Whole extends CustomResource {
  reconcile(): void {}
}

@Kind({ group: 'test.example.com', version: 'v1' })
@Watches(Names, () => [])
class Reduced extends CustomResource {
  reconcile(): void {}
}

let cluster: Cluster | undefined;
const stop = new AbortController();
afterEach(async () => {
  stop.abort();
  await cluster?.stop();
});

test('the usage has objects, size, shares of fields and controllers of each cache', async () => {
  cluster = await startCluster();
  await cluster.install(Whole, Reduced);
  const namespace = 'default';
  for (const size of [100, 3000])
    await cluster.create(ConfigMap, {
      ...{ metadata: { name: `map-${size}`, namespace, labels: { size: String(size) } } },
      data: { text: 'x'.repeat(size) },
    });
  let usages: readonly CacheUsage[] = [];
  const onCachesSynced = (measure: () => readonly CacheUsage[]): void => {
    usages = measure();
    stop.abort();
  };
  const manager = new Manager({ client: cluster.client, namespaces: [namespace], onCachesSynced });
  await manager.add(Whole).add(Reduced).run(stop.signal);
  const of = (name: string, isPart: boolean) =>
    usages.find(({ kind }) => kind.kind === name && (kind.part !== undefined) === isPart);
  const whole = of('ConfigMap', false);
  const part = of('ConfigMap', true);
  expect(whole).toMatchObject({ controllers: ['whole'] });
  expect(part).toMatchObject({ objects: 2, controllers: ['reduced'], shares: { metadata: expect.any(Number) } });
  expect(part?.shares['data.text']).toBeUndefined();
  expect(whole?.shares['data.text']).toBeGreaterThan(0.3);
  expect((whole?.bytes ?? 0) - (part?.bytes ?? 0)).toBeGreaterThan(3000);
  expect(usages.map(({ bytes }) => bytes)).toEqual(usages.map(({ bytes }) => bytes).toSorted((a, b) => b - a));
});

test('the usage has the caches of other clusters, with their names', () => {
  const reader = (name: string) => ({
    name,
    informers: [new Informer({} as ListWatcher, ConfigMap)],
    watchedInformers: [],
  });
  const usages = allCacheUsages([reader('whole')], new Map([['edge', { controllers: [reader('copier')] }]]));
  expect(usages).toMatchObject([
    { kind: ConfigMap, controllers: ['whole'] },
    { kind: ConfigMap, controllers: ['copier'], cluster: 'edge' },
  ]);
  expect(usages[0]).not.toHaveProperty('cluster');
});
