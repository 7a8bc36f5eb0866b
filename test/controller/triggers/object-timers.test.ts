import { describe, expect, jest, test } from '@jest/globals';
import type { Cancel } from '../../../src/base/clock.js';
import { calendarSchedule } from '../../../src/base/cron/calendar-schedule.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { ObjectTimers } from '../../../src/controller/triggers/object-timers.js';
import type { TimerModel } from '../../../src/resource/triggers/timer-models.js';

const every = (intervalMs: number, jitterMs = 0): TimerModel => ({
  name: '@Every',
  method: undefined,
  schedule: { type: 'interval', intervalMs },
  jitterMs,
});
const cron = (text: string): TimerModel => ({
  name: '@Every',
  method: undefined,
  schedule: { type: 'cron', cron: calendarSchedule(text) },
  jitterMs: 0,
});

function setUp(timers: TimerModel[], { clock = new FakeClock(), random = (): number => 0 } = {}) {
  const fired: { readonly key: string; readonly at: number }[] = [];
  const onDue = (key: string): number => fired.push({ key, at: clock.now() });
  return { clock, fired, objects: new ObjectTimers({ timers, clock, onDue, random }) };
}

class TurnClock extends FakeClock {
  turns = 0;

  override schedule(delayMs: number, callback: () => void): Cancel {
    return super.schedule(delayMs, () => {
      this.turns++;
      callback();
    });
  }
}

describe('ObjectTimers with many objects of a calendar', () => {
  test('objects that are due at the same time fire in several turns of the event loop', async () => {
    const clock = new TurnClock();
    const turns: number[] = [];
    const onDue = (): number => turns.push(clock.turns);
    const objects = new ObjectTimers({ timers: [cron('0 3 * * *')], clock, onDue });
    for (let index = 0; index < 1200; index++) objects.add(`ns/${index}`, `uid-${index}`);
    await clock.advance(24 * 3_600_000);
    expect(turns).toHaveLength(1200);
    expect(new Set(turns).size).toBe(3);
  });

  test('the next time of a calendar is computed once for all objects', async () => {
    const spy = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    const rare = calendarSchedule('0 3 26 11 *', 'Europe/Berlin');
    const timer: TimerModel = { ...cron('@daily'), schedule: { type: 'cron', cron: rare } };
    const { clock, objects } = setUp([timer]);
    objects.add('ns/first', 'uid');
    const { length } = spy.mock.calls;
    for (let index = 0; index < 800; index++) {
      await clock.advance(1000);
      objects.add(`ns/${index}`, `uid-${index}`);
    }
    expect(spy.mock.calls).toHaveLength(length);
    spy.mockRestore();
  });
});

describe('ObjectTimers with an interval', () => {
  test('a timer fires for each object once per interval', async () => {
    const { clock, fired, objects } = setUp([every(30_000)]);
    objects.add('ns/a', 'uid-a');
    objects.add('ns/b', 'uid-b');
    await clock.advance(90_000);
    expect(fired.filter(({ key }) => key === 'ns/a')).toHaveLength(3);
    expect(fired.filter(({ key }) => key === 'ns/b')).toHaveLength(3);
    const times = fired.filter(({ key }) => key === 'ns/a').map(({ at }) => at);
    expect([times[1]! - times[0]!, times[2]! - times[1]!]).toEqual([30_000, 30_000]);
  });

  test('timers spread objects over the interval', async () => {
    const { clock, fired, objects } = setUp([every(60_000)]);
    for (let index = 0; index < 600; index++) objects.add(`ns/${index}`, `uid-${index}`);
    const perSecond: number[] = [];
    for (let second = 0; second < 60; second++) {
      const before = fired.length;
      await clock.advance(1000);
      perSecond.push(fired.length - before);
    }
    expect(fired).toHaveLength(600);
    expect(Math.max(...perSecond)).toBeLessThan(30);
  });

  test('timers continue with the same times after a restart', async () => {
    const clock = new FakeClock();
    const before = setUp([every(3_600_000)], { clock });
    before.objects.add('ns/a', 'uid-a');
    await clock.advance(3_600_000);
    before.objects.stop();
    await clock.advance(1_234_567);
    const after = setUp([every(3_600_000)], { clock });
    after.objects.add('ns/a', 'uid-a');
    await clock.advance(3_600_000);
    expect(before.fired).toHaveLength(1);
    expect((after.fired[0]!.at - before.fired[0]!.at) % 3_600_000).toBe(0);
  });

  test('timers are delayed by a random part of the jitter, and keep the interval', async () => {
    const { clock, fired, objects } = setUp([every(10_000, 4000)], { random: () => 0.5 });
    const exact = setUp([every(10_000)], { clock });
    objects.add('ns/a', 'uid-a');
    exact.objects.add('ns/a', 'uid-a');
    await clock.advance(42_000);
    expect(fired.length).toBeGreaterThanOrEqual(3);
    fired.forEach(({ at }, index) => expect(at - exact.fired[index]!.at).toBe(2000));
  });

  test('timers longer than the maximum of Node do not fire immediately', async () => {
    const { clock, fired, objects } = setUp([every(90 * 86_400_000)]);
    objects.add('ns/a', 'uid-a');
    await clock.advance(90 * 86_400_000);
    expect(fired).toHaveLength(1);
  });

  test('timers stop for an object that is removed, and all when stopped', async () => {
    const { clock, fired, objects } = setUp([every(1000), every(1500)]);
    for (const name of ['a', 'b', 'c']) objects.add(`ns/${name}`, `uid-${name}`);
    objects.remove('ns/b');
    await clock.advance(3000);
    expect(new Set(fired.map(({ key }) => key))).toEqual(new Set(['ns/a', 'ns/c']));
    const before = fired.length;
    objects.stop();
    await clock.advance(3000);
    expect(fired).toHaveLength(before);
    expect(clock.pending).toBe(0);
  });

  test('a timer starts once for an object, and again for another object of the same name', () => {
    const { objects } = setUp([every(1000)]);
    expect(objects.add('ns/a', 'uid-1')).toBe(true);
    expect(objects.add('ns/a', 'uid-1')).toBe(false);
    expect(objects.add('ns/a', 'uid-2')).toBe(true);
    expect(objects.size).toBe(1);
  });

  test('a timer fires once at a time although the wall clock is slightly behind', async () => {
    class SlowClock extends FakeClock {
      override now(): number {
        return super.now() - this.monotonic() * 0.001;
      }
    }
    const { clock, fired, objects } = setUp([every(10_000)], { clock: new SlowClock() });
    objects.add('ns/a', 'uid-a');
    await clock.advance(60_000);
    expect(fired.length).toBeLessThanOrEqual(6);
  });
});

test('a cron schedule fires at its times for every object', async () => {
  const { clock, fired, objects } = setUp([cron('0 3 * * *')], { clock: new FakeClock(Date.UTC(2026, 0, 1, 4)) });
  objects.add('ns/a', 'uid-a');
  objects.add('ns/b', 'uid-b');
  await clock.advance(48 * 3_600_000);
  expect(fired.map(({ key, at }) => `${key} ${new Date(at).toISOString()}`).sort()).toEqual([
    'ns/a 2026-01-02T03:00:00.000Z',
    'ns/a 2026-01-03T03:00:00.000Z',
    'ns/b 2026-01-02T03:00:00.000Z',
    'ns/b 2026-01-03T03:00:00.000Z',
  ]);
});

describe('ObjectTimers after a jump of the wall clock', () => {
  const HOUR = 3_600_000;

  /** A clock whose time of day can be set. */
  class SettableClock extends FakeClock {
    private shiftMs = 0;

    override now(): number {
      return super.now() + this.shiftMs;
    }

    set(byMs: number): void {
      this.shiftMs += byMs;
    }
  }

  async function afterJump(timer: TimerModel, jumpMs: number) {
    const clock = new SettableClock(Date.UTC(2026, 0, 1, 9));
    const { fired, objects } = setUp([timer], { clock });
    objects.add('ns/a', 'uid-a');
    await clock.advance(HOUR / 2);
    fired.length = 0;
    clock.set(jumpMs);
    return { clock, fired, objects };
  }

  test.each([
    ['an hour ahead', HOUR],
    ['an hour behind', -HOUR],
  ])('a cron schedule fires at its time of day if the clock is set %s', async (_, jumpMs) => {
    const { clock, fired } = await afterJump(cron('0 12 * * *'), jumpMs);
    await clock.advance(10 * HOUR);
    expect(fired.map(({ at }) => at)).toEqual([Date.UTC(2026, 0, 1, 12)]);
  });

  test('a time of a calendar that the clock has skipped is made up for once', async () => {
    const { clock, fired } = await afterJump(cron('0 10 * * *'), HOUR);
    await clock.advance(10 * HOUR);
    expect(fired).toHaveLength(1);
    expect(fired[0]!.at - Date.UTC(2026, 0, 1, 10, 30)).toBeLessThanOrEqual(300_000);
  });

  test.each([HOUR, -HOUR])('an interval continues if the clock is set by %d ms', async (jumpMs) => {
    const { clock, fired, objects } = await afterJump(every(600_000), jumpMs);
    await clock.advance(HOUR);
    expect(fired.length).toBeGreaterThanOrEqual(5);
    expect(fired.length).toBeLessThanOrEqual(7);
    objects.stop();
    expect(clock.pending).toBe(0);
  });
});
