import { expect, test, describe } from '@jest/globals';
import { ConfigMap, Deployment, Pod } from 'kindwright';
import { formatTime } from '../../../src/base/timestamp.js';
import { Gizmo, LoopWorld } from './loop-world.js';

const KEY = 'team/a';

describe('situations without a hot loop', () => {
  test('1,000 pods that appear one by one and change the status each are not a loop', async () => {
    const world = new LoopWorld(async (self, request) => {
      await self.write(request, 'status', Gizmo, KEY, { status: { pods: self.reconciled.length } });
    });
    await world.start();
    for (let pod = 0; pod < 1000; pod++) {
      world.change(Pod, `team/p${String(pod)}`, { spec: {} });
      await world.clock.advance(0);
    }
    expect(world.reconciled).toHaveLength(1001);
    expect(world.warnings()).toEqual([]);
  });

  test('a count of 1,000 pods in an annotation that triggers a reconcile is not a loop', async () => {
    let pods = 0;
    const world = new LoopWorld(async (self, request) => {
      const annotations = { pods: String(pods) };
      if (self.get(Gizmo, KEY)?.metadata.annotations?.pods === annotations.pods) return;
      await self.write(request, 'patch', Gizmo, KEY, { metadata: { annotations } });
    });
    world.afterWrite = () => {
      if (pods === 1000) return;
      pods += 1;
      world.change(Pod, `team/p${String(pods)}`, {}); // in the same turn as the own write
    };
    await world.start();
    expect(pods).toBe(1000);
    expect(world.warnings()).toEqual([]);
  });

  test('a rollout with status updates of a Deployment that follows user changes is not a loop', async () => {
    const world = new LoopWorld(async (self, request) => {
      const { size } = self.get(Gizmo, KEY)?.spec as { size: number };
      const current = self.get(Deployment, 'team/web')?.spec as { replicas?: number } | undefined;
      if (current?.replicas !== size) {
        await self.write(request, 'apply', Deployment, 'team/web', { spec: { replicas: size } });
      }
      await self.write(request, 'status', Gizmo, KEY, { status: { runs: self.reconciled.length } });
    });
    await world.start();
    for (let round = 0; round < 200; round++) {
      world.change(Gizmo, KEY, { spec: { size: round % 2 } });
      world.change(Deployment, 'team/web', { status: { ready: round } });
      await world.clock.advance(0);
    }
    expect(world.reconciled.length).toBeGreaterThan(200);
    expect(world.warnings()).toEqual([]);
  });

  test('a reconcile that creates one child after the other is not a loop', async () => {
    const world = new LoopWorld(async (self, request) => {
      const next = Array.from({ length: 300 }, (_, index) => `team/p${String(index)}`).find(
        (key) => !self.get(Pod, key),
      );
      if (next !== undefined) await self.write(request, 'create', Pod, next, {});
    });
    await world.start();
    expect(world.reconciled).toHaveLength(301);
    expect(world.warnings()).toEqual([]);
  });

  test.each([
    ['their number', (step: number) => String(step)],
    ['their names', (step: number) => `Phase${step}`],
    ['their number and time', (step: number) => ({ step, time: formatTime(step * 1000) })],
  ])('100 steps in a row that each write %s are not a loop', async (_, state) => {
    let step = 0;
    const world = new LoopWorld(async (self, request) => {
      if (step < 100)
        await self.write(request, 'apply', ConfigMap, 'team/cfg', { data: { phase: state((step += 1)) } });
    });
    await world.start();
    expect(step).toBe(100);
    expect(world.warnings()).toEqual([]);
    step = 0; // once more, after a change by a user
    world.change(Gizmo, KEY, { spec: { size: 4 } });
    await world.clock.advance(0);
    expect(step).toBe(100);
    expect(world.warnings()).toEqual([]);
  });

  test('100 steps in a row that each write their phase and request the next immediately are not a loop', async () => {
    let step = 0;
    const world = new LoopWorld(async (self, request) => {
      if (step === 100) return { type: 'done' };
      await self.write(request, 'status', Gizmo, KEY, { status: { phase: `Phase${(step += 1)}` } });
      return { type: 'requeueAfter', delayMs: 1 };
    });
    await world.start();
    await world.clock.advance(200);
    expect(step).toBe(100);
    step = 0;
    world.change(Gizmo, KEY, { spec: { size: 4 } });
    await world.clock.advance(200);
    expect(step).toBe(100);
    expect(world.warnings()).toEqual([]);
  });

  test('phases that two clients set in turn are not a loop', async () => {
    const phases = Array.from({ length: 20 }, (_, index) => `Phase${index}`);
    const world = new LoopWorld(async (self, request) => {
      const { phase = '' } = (self.get(ConfigMap, 'team/cfg')?.data ?? {}) as { phase?: string };
      const next = phases.indexOf(phase) + 1;
      if (next % 2 === 0 && next < 20)
        await self.write(request, 'apply', ConfigMap, 'team/cfg', { data: { phase: phases[next] } });
    });
    world.afterWrite = (kind, object) => {
      const { phase } = (object as unknown as { data: { phase: string } }).data;
      queueMicrotask(() => world.change(kind, 'team/cfg', { data: { phase: phases[phases.indexOf(phase) + 1] } }));
    };
    await world.start();
    expect(world.get(ConfigMap, 'team/cfg')?.data).toEqual({ phase: 'Phase19' });
    expect(world.warnings()).toEqual([]);
  });

  test('a field that is reset now and then is not a loop', async () => {
    const world = new LoopWorld(async (self, request) => {
      const data = self.get(ConfigMap, 'team/cfg')?.data as { a?: string } | undefined;
      if (data?.a !== '1') await self.write(request, 'apply', ConfigMap, 'team/cfg', { data: { a: '1' } });
    });
    await world.start();
    for (let round = 0; round < 20; round++) {
      world.change(ConfigMap, 'team/cfg', { data: { a: '2' } });
      await world.clock.advance(180_000);
    }
    expect(world.warnings()).toEqual([]);
  });

  test('a reconcile that polls every 100 ms is not a loop', async () => {
    const world = new LoopWorld(async () => ({ type: 'requeueAfter', delayMs: 100 }));
    await world.start();
    await world.clock.advance(10_000);
    expect(world.reconciled).toHaveLength(101);
    expect(world.warnings()).toEqual([]);
  });

  test('a user who changes the spec as fast as the status is written does not cause a loop', async () => {
    const world = new LoopWorld(async (self, request) => {
      await self.write(request, 'status', Gizmo, KEY, { status: { runs: self.reconciled.length } });
    });
    let size = 3;
    world.afterWrite = () => {
      size += 1;
      if (size < 500) world.change(Gizmo, KEY, { spec: { size } });
    };
    await world.start();
    expect(world.reconciled.length).toBe(497);
    expect(world.warnings()).toEqual([]);
  });

  test('a spec that changes during each reconcile and is applied to a child is not a loop', async () => {
    const world = new LoopWorld(async (self, request) => {
      const { size } = self.get(Gizmo, KEY)?.spec as { size: number };
      const current = self.get(ConfigMap, 'team/cfg')?.data as { size?: number } | undefined;
      if (current?.size !== size) await self.write(request, 'apply', ConfigMap, 'team/cfg', { data: { size } });
      await self.write(request, 'status', Gizmo, KEY, { status: { size } });
    });
    let size = 3;
    world.afterWrite = (kind) => {
      if (kind === ConfigMap && size < 500) world.change(Gizmo, KEY, { spec: { size: (size += 1) } });
    };
    world.isStatusWatched = true;
    await world.start();
    expect(size).toBe(500);
    expect(world.warnings()).toEqual([]);
  });
});
