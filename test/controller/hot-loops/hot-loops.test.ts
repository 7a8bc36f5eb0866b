import { describe, expect, test } from '@jest/globals';
import { ConfigMap, Deployment, Secret, type KindRef, type KubeObject } from 'kindwright';
import { formatTime } from '../../../src/base/timestamp.js';
import type { ReconcileRequest } from '../../../src/controller/run/reconcile-request.js';
import { Gizmo, LoopWorld } from './loop-world.js';

const KEY = 'team/a';

/** A time that is later each time. */
function clock(): () => string {
  let seconds = 0;
  return () => formatTime((seconds += 1) * 1000);
}

/** A value that was never there before. */
function counter(): () => string {
  let count = 0;
  return () => String((count += 1));
}

/** Reconciles that write an object with another value each time. */
function writing(kind: KindRef, key: string, change: () => object, action: 'apply' | 'patch' = 'apply') {
  return (world: LoopWorld, request: ReconcileRequest) => world.write(request, action, kind, key, change());
}

/** Expects a loop to be found within 20 reconciles and to be slow from then on. */
async function expectSlowedDown(world: LoopWorld): Promise<void> {
  await world.start();
  expect(world.reconciled.length).toBeLessThanOrEqual(20);
  await world.clock.advance(63_000); // 1 + 2 + 4 + 8 + 16 + 16 + 16
  expect(world.reconciled.length).toBeLessThanOrEqual(30);
  expect(world.warnings()).toHaveLength(1);
}

describe('a loop by own writes', () => {
  test('a loop by own writes is found for an apply of changing data', async () => {
    const value = clock();
    const world = new LoopWorld(writing(ConfigMap, 'team/cfg', () => ({ data: { time: value() } })));
    await expectSlowedDown(world);
    const [{ message, fields }] = world.warnings() as [ReturnType<LoopWorld['warnings']>[number]];
    expect(message).toMatch(/^Hot loop: \d+ reconciles in 0 ms, each changes data\.time of ConfigMap team\/cfg/);
    expect(fields).toMatchObject({
      namespace: 'team',
      name: 'a',
      cause: 'own write',
      object: 'ConfigMap team/cfg',
      field: 'data.time',
    });
    expect(Date.parse(JSON.parse(String(fields.to)) as string)).toBe(
      Date.parse(JSON.parse(String(fields.from)) as string) + 1000,
    );
    expect(fields.hint).toBeDefined();
  });

  test('a loop by own writes is found within 150 reconciles for values that never return', async () => {
    const value = counter();
    const world = new LoopWorld(writing(ConfigMap, 'team/cfg', () => ({ data: { id: value() } })));
    await world.start();
    expect(world.reconciled.length).toBeLessThanOrEqual(150);
    await world.clock.advance(63_000);
    expect(world.reconciled.length).toBeLessThanOrEqual(160);
    expect(world.warnings()).toMatchObject([{ fields: { cause: 'own write', field: 'data.id' } }]);
  });

  test('a loop by own writes is found for a time beside a value that returns', async () => {
    const value = clock();
    const world = new LoopWorld(async (self, request) => {
      const { phase = 'a' } = (self.get(ConfigMap, 'team/cfg')?.data ?? {}) as { phase?: string };
      const data = { phase: phase === 'a' ? 'b' : 'a', time: value() };
      await self.write(request, 'apply', ConfigMap, 'team/cfg', { data });
    });
    await expectSlowedDown(world);
  });

  test('a loop by own writes is found for a patch of the object itself', async () => {
    const value = clock();
    const patch = () => ({ metadata: { annotations: { 'example.com/seen': value() } } });
    const world = new LoopWorld(writing(Gizmo, KEY, patch, 'patch'));
    await expectSlowedDown(world);
    expect(world.warnings()[0]?.fields).toMatchObject({
      cause: 'own write',
      object: 'Gizmo team/a',
      field: 'metadata.annotations["example.com/seen"]',
    });
  });

  test('a loop by own writes is found for a spec that alternates', async () => {
    const world = new LoopWorld((self, request) => {
      const { size } = self.get(Gizmo, KEY)?.spec as { size: number };
      return self.write(request, 'patch', Gizmo, KEY, { spec: { size: size === 3 ? 4 : 3 } });
    });
    await expectSlowedDown(world);
    const { from, to, field } = world.warnings()[0]?.fields ?? {};
    expect(field).toBe('spec.size');
    expect([from, to].sort()).toEqual(['3', '4']);
  });

  test('a loop by own writes is found for an object that is deleted and created again', async () => {
    const world = new LoopWorld(async (self, request) => {
      await self.write(request, 'delete', ConfigMap, 'team/cfg', {});
      await self.write(request, 'apply', ConfigMap, 'team/cfg', { data: {} });
    });
    await expectSlowedDown(world);
    expect(world.warnings()[0]?.fields).toMatchObject({ cause: 'own write', object: 'ConfigMap team/cfg' });
  });

  test('a loop by own writes is found while the controller of the written object reports its status', async () => {
    const value = clock();
    const world = new LoopWorld(writing(Deployment, 'team/web', () => ({ spec: { template: value() } })));
    world.afterWrite = (kind, { metadata }) => {
      world.change(kind, 'team/web', { status: { observedGeneration: metadata.resourceVersion } });
    };
    await expectSlowedDown(world);
    expect(world.warnings()[0]?.fields).toMatchObject({ cause: 'own write', field: 'spec.template' });
  });

  test('a loop by own writes is found when the status is watched', async () => {
    const value = clock();
    const world = new LoopWorld((self, request) =>
      self.write(request, 'status', Gizmo, KEY, { status: { time: value() } }),
    );
    world.isStatusWatched = true;
    await expectSlowedDown(world);
    expect(world.warnings()[0]?.fields).toMatchObject({ field: 'status.time' });
  });

  test('a loop ends with the first reconcile that does not change the field', async () => {
    const value = clock();
    let isLooping = true;
    const world = new LoopWorld(async (self, request) => {
      if (isLooping) await self.write(request, 'apply', ConfigMap, 'team/cfg', { data: { time: value() } });
    });
    await world.start();
    isLooping = false;
    await world.clock.advance(60_000);
    const before = world.reconciled.length;
    for (let size = 0; size < 50; size++) {
      world.change(Gizmo, KEY, { spec: { size } });
      await world.clock.advance(0);
    }
    expect(world.reconciled.length).toBe(before + 50);
  });

  test('the report of a loop does not contain the data of a Secret', async () => {
    const value = clock();
    const world = new LoopWorld(writing(Secret, 'team/s', () => ({ data: { password: `hunter-${value()}` } })));
    await world.start();
    expect(world.warnings()[0]?.fields).toMatchObject({
      object: 'Secret team/s',
      field: 'data.password',
      from: expect.stringMatching(/^"‹redacted [0-9a-f]{8}›"$/),
      to: expect.stringMatching(/^"‹redacted [0-9a-f]{8}›"$/),
    });
    expect(JSON.stringify(world.logger.lines)).not.toContain('hunter');
  });

  test('the report of a loop shortens long values', async () => {
    const value = clock();
    const world = new LoopWorld(writing(ConfigMap, 'team/cfg', () => ({ data: { time: 'x'.repeat(5000) + value() } })));
    await world.start();
    expect(String(world.warnings()[0]?.fields.from).length).toBeLessThan(250);
  });
});

describe('a loop with a second writer', () => {
  /** Another client that sets replicas to 5 each time, after some turns of the event loop. */
  function withRival(manager: string): LoopWorld {
    const world = new LoopWorld(async (self, request) => {
      const spec = self.get(Deployment, 'team/web')?.spec as { replicas?: number } | undefined;
      if (spec?.replicas !== 2) await self.write(request, 'apply', Deployment, 'team/web', { spec: { replicas: 2 } });
    });
    const managedFields = [
      { manager: 'other', fieldsV1: { 'f:spec': { 'f:template': {} } } },
      { manager, fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ];
    world.afterWrite = (kind, object) => {
      if ((object as KubeObject & { spec: { replicas: number } }).spec.replicas !== 2) return;
      queueMicrotask(() => world.change(kind, 'team/web', { spec: { replicas: 5 }, metadata: { managedFields } }));
    };
    return world;
  }

  test('the report of a second writer has its field manager, the field and both values', async () => {
    const world = withRival('kube-controller-manager');
    await expectSlowedDown(world);
    expect(world.warnings()[0]?.fields).toMatchObject({
      cause: 'second writer',
      object: 'Deployment team/web',
      field: 'spec.replicas',
      from: '5',
      to: '2',
      writer: 'field manager "kube-controller-manager"',
    });
  });

  test('a second writer may have the same field manager, such as a second replica', async () => {
    const world = withRival('gizmo');
    await expectSlowedDown(world);
    expect(world.warnings()[0]?.fields.writer).toBe('another client with the same field manager "gizmo"');
  });

  test('a second writer is reported without a name when the manager cannot be read', async () => {
    const world = withRival('rival');
    world.refusesReads = true;
    await world.start();
    await world.clock.advance(5000);
    expect(world.warnings()[0]?.fields).toMatchObject({ cause: 'second writer', writer: 'another client' });
  });

  test('the report names the reconcile when two objects of one controller conflict', async () => {
    const world = new LoopWorld(async (self, request) => {
      const data = self.get(ConfigMap, 'team/shared')?.data as { owner?: string } | undefined;
      if (data?.owner === request.key) return;
      await self.write(request, 'apply', ConfigMap, 'team/shared', { data: { owner: request.key } });
    });
    world.keysOf = (kind, key) => (kind === Gizmo ? [key] : ['team/a', 'team/b']);
    world.change(Gizmo, 'team/b', { spec: {} });
    await world.start();
    expect(world.reconciled.length).toBeLessThanOrEqual(40);
    expect(world.warnings().map(({ fields: { name, cause, writer } }) => ({ name, cause, writer }))).toContainEqual({
      name: 'a',
      cause: 'second writer',
      writer: 'the reconcile of gizmo team/b',
    });
  });

  test('a loop with a second writer leads to at most one write a minute', async () => {
    const times: number[] = [];
    const world = new LoopWorld(async (self, request) => {
      const spec = self.get(Deployment, 'team/web')?.spec as { replicas?: number } | undefined;
      if (spec?.replicas === 2) return;
      times.push(world.clock.monotonic());
      await self.write(request, 'apply', Deployment, 'team/web', { spec: { replicas: 2 } });
    });
    await world.start();
    for (let second = 0; second < 600; second++) {
      world.change(Deployment, 'team/web', { spec: { replicas: 5 } });
      await world.clock.advance(1000);
    }
    const later = times.filter((time) => time > 300_000);
    expect(later.length).toBeGreaterThan(0);
    expect(later.length).toBeLessThanOrEqual(5);
  });

  test('a loop with a second writer is found when that one is slow too', async () => {
    const world = new LoopWorld(async (self, request) => {
      const spec = self.get(Deployment, 'team/web')?.spec as { replicas?: number } | undefined;
      if (spec?.replicas !== 2) await self.write(request, 'apply', Deployment, 'team/web', { spec: { replicas: 2 } });
    });
    await world.start();
    for (let round = 0; round < 8; round++) {
      world.change(Deployment, 'team/web', { spec: { replicas: 5 } });
      await world.clock.advance(15_000);
    }
    expect(world.warnings()).toHaveLength(1);
  });
});

describe('a loop by a timer', () => {
  test('a loop by a timer is found for requeueAfter of a millisecond', async () => {
    const world = new LoopWorld(async () => ({ type: 'requeueAfter', delayMs: 1 }));
    await world.start();
    await world.clock.advance(20);
    expect(world.reconciled.length).toBeLessThanOrEqual(20);
    await world.clock.advance(63_000);
    expect(world.reconciled.length).toBeLessThanOrEqual(30);
    expect(world.warnings()).toMatchObject([
      {
        message: expect.stringContaining('requests the next by requeueAfter 1 ms'),
        fields: { cause: 'timer', name: 'a' },
      },
    ]);
  });

  test('the report of a loop by a timer names the field that changes', async () => {
    const value = clock();
    const world = new LoopWorld(async (self, request) => {
      await self.write(request, 'status', Gizmo, KEY, { status: { time: value() } });
      return { type: 'requeueAfter', delayMs: 5 };
    });
    await world.start();
    await world.clock.advance(200);
    expect(world.warnings()[0]?.fields).toMatchObject({ cause: 'timer', object: 'Gizmo team/a', field: 'status.time' });
  });

  test('the report of a loop by a timer names the method that requests it, not the last write', async () => {
    const value = clock();
    const world = new LoopWorld(async (self, request) => {
      request.run!.method = 'removeBucket';
      await self.write(request, 'apply', ConfigMap, KEY, { data: { time: value() } });
      request.run!.calledBy({ location: 'operators/gizmo.ts:31:7' });
      return { type: 'requeueAfter', delayMs: 5 };
    });
    world.keysOf = (kind, key) => (kind === Gizmo ? [key] : []);
    await world.start();
    await world.clock.advance(200);
    expect(world.warnings()[0]?.fields).toMatchObject({
      ...{ cause: 'timer', field: 'data.time' },
      location: 'operators/gizmo.ts#removeBucket',
    });
  });

  test('a loop by a timer ends when a longer time is requested', async () => {
    let delayMs = 1;
    const world = new LoopWorld(async () => ({ type: 'requeueAfter', delayMs }));
    await world.start();
    await world.clock.advance(100);
    delayMs = 1000;
    await world.clock.advance(60_000);
    const before = world.reconciled.length;
    await world.clock.advance(10_000);
    expect(world.reconciled.length).toBe(before + 10);
  });
});
