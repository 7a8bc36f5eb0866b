import { expect, test } from '@jest/globals';
import { createMetrics } from '../../../src/base/metrics.js';
import type { KindController } from '../../../src/controller/kind-controller.js';
import { GroupMetrics } from '../../../src/manager/metrics/group-metrics.js';

test('kindwright_shard_objects has a series for each present controller', async () => {
  const registry = await createMetrics({ ofProcess: false });
  let controllers = [
    { name: 'podset', ownedObjects: 3 },
    { name: 'removed', ownedObjects: 4 },
  ];
  new GroupMetrics(registry).measureObjects(() => controllers as unknown as KindController[]);
  const series = async () =>
    (await registry.expose()).text.split('\n').filter((line) => line.startsWith('kindwright_shard_objects'));
  expect(await series()).toEqual([
    'kindwright_shard_objects{controller="podset"} 3',
    'kindwright_shard_objects{controller="removed"} 4',
  ]);
  controllers = controllers.slice(0, 1);
  expect(await series()).toEqual(['kindwright_shard_objects{controller="podset"} 3']);
});
