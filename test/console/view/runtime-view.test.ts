import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, Pod, Secret, partOf, type Informer, type KindRef } from 'kindwright';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { ReviewedVisibility } from '../../../src/console/access/review-visibility.js';
import { CachedObjects } from '../../../src/console/cached-objects.js';
import { MetricsSampler } from '../../../src/console/recorder/metrics-sampler.js';
import { Replica } from '../../../src/console/replica.js';
import { RuntimeView } from '../../../src/console/view/runtime-view.js';
import type { InspectedManager } from '../../../src/manager/debug/debug-state.js';
import type { ShardState } from '../../../src/manager/sharding/owned-slots.js';
import type { WebhooksState } from '../../../src/manager/webhooks/webhooks-state.js';

const Labeled = partOf(ConfigMap, { labelSelector: 'app=web', namespaces: ['a', 'b'] });
const SHARDS: ShardState = {
  self: 'pod-a-1',
  members: [
    { name: 'pod-a-1', slotCount: 5, isLeaving: false },
    { name: 'pod-b-1', slotCount: 3, isLeaving: true },
  ],
  ownSlots: [0, 1, 2, 5, 7],
  slotCount: 8,
};
const WEBHOOKS: WebhooksState = {
  port: 9443,
  expiresMs: 1000,
  webhooks: [
    { path: '/validate-maps', type: 'Validating', kinds: [ConfigMap], requests: 3, failed: 1 },
    { path: '/validate-secrets', type: 'Validating', kinds: [Secret], requests: 2, failed: 0 },
  ],
};

/** An informer that holds an object in each namespace. */
function informer(kind: KindRef, namespaces: readonly string[], size = 1): Informer {
  const objects = namespaces.map((namespace): [string, object] => [
    `${namespace}/m`,
    { metadata: { name: 'm', namespace }, data: { text: 'x'.repeat(size) } },
  ]);
  return { kind, lister: new Map(objects) } as unknown as Informer;
}

let clock: FakeClock;
let informers: Informer[];
let measurements: number;
let shards: ShardState | undefined;
let webhooks: WebhooksState | undefined;

beforeEach(() => {
  clock = new FakeClock();
  informers = [];
  measurements = 0;
  shards = undefined;
  webhooks = undefined;
});

function viewFor(visibility?: ReviewedVisibility): RuntimeView {
  const controllers = () => {
    measurements += 1;
    return [{ name: 'reader', informers, watchedInformers: [] }];
  };
  const manager = {
    controllers,
    allInformers: () => informers,
    others: new Map(),
    isLeading: () => true,
    shards: () => shards,
    webhooks: () => webhooks,
  } as unknown as InspectedManager;
  const objects = new CachedObjects(() => ({ ...manager, controllers: () => [] }));
  return new RuntimeView(
    visibility ? objects.for(visibility) : objects,
    new MetricsSampler(clock, () => []),
    new Replica(clock, false, () => manager),
  );
}

describe('the caches', () => {
  test('have their objects, sizes, largest fields and readers, the largest first', () => {
    informers = [informer(Labeled, ['a'], 10), informer(ConfigMap, ['a', 'b'], 5000)];
    expect(viewFor().caches()).toMatchObject([
      {
        ...{ kind: 'ConfigMap', apiVersion: 'v1', shape: 'whole', readBy: ['reader'], objects: 2 },
        largest: { field: 'data.text', share: expect.closeTo(0.98, 1) },
      },
      { kind: 'ConfigMap', objects: 1, selector: 'app=web, namespace a or b' },
    ]);
    const [whole, part] = viewFor().caches();
    expect(whole?.bytes).toBeGreaterThan(10_000);
    expect(part?.bytes).toBeLessThan(500);
    expect(whole).not.toHaveProperty('selector');
  });

  test('are measured at most once in ten seconds, however many users look', async () => {
    informers = [informer(ConfigMap, ['a'])];
    const view = viewFor();
    for (let count = 0; count < 20; count++) view.caches();
    await clock.advance(9000);
    view.caches();
    expect(measurements).toBe(1);
    await clock.advance(1000);
    view.caches();
    expect(measurements).toBe(2);
  });

  test('have the number of visible objects, and no size, for a user that sees some of them', () => {
    informers = [informer(ConfigMap, ['a', 'b', 'c']), informer(Secret, [])];
    const some = new ReviewedVisibility(false, new Map([['ConfigMap', new Set(['a', 'b'])]]));
    const caches = viewFor(some).caches();
    expect(caches).toMatchObject([{ kind: 'ConfigMap', objects: 2 }]);
    expect(caches[0]).not.toHaveProperty('bytes');
    expect(caches[0]).not.toHaveProperty('largest');
  });
});

describe('the state', () => {
  test('has neither shards nor webhooks of an operator without them', () => {
    const state = viewFor().state();
    expect(state).toMatchObject({ lease: { isElected: false, isLeader: true } });
    expect(Object.keys(state).sort()).toEqual(['lease', 'queues', 'watches']);
  });

  test('has the slots of this replica as ranges, and the number of those of each other one', () => {
    shards = SHARDS;
    expect(viewFor().state().shards).toEqual({
      ...{ self: 'pod-a-1', slots: 8, ownCount: 5, own: '0-2, 5, 7' },
      members: [
        { name: 'pod-a-1', slots: 5 },
        { name: 'pod-b-1', slots: 3, isLeaving: true },
      ],
    });
  });

  test('has the webhooks with their requests and the expiry of their certificate', () => {
    webhooks = WEBHOOKS;
    expect(viewFor().state().webhooks).toMatchObject({
      ...{ port: 9443, expiresAt: 1000 },
      paths: [{ path: '/validate-maps', kinds: ['ConfigMap'], requests: 3, failed: 1 }, { kinds: ['Secret'] }],
    });
    webhooks = { ...WEBHOOKS, port: undefined, expiresMs: undefined };
    expect(Object.keys(viewFor().state().webhooks ?? {})).toEqual(['paths']);
  });

  test('has only the webhooks of kinds that the user sees', () => {
    webhooks = WEBHOOKS;
    const some = new ReviewedVisibility(false, new Map([['Secret', 'all' as const]]));
    expect(viewFor(some).state().webhooks?.paths).toMatchObject([{ path: '/validate-secrets' }]);
    informers = [informer(Pod, [])];
    expect(viewFor(some).caches()).toEqual([]);
  });
});
