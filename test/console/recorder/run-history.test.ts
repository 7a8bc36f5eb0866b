import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConfigMap, type End, type KubeObject, type Op, type Run, type WriteOp } from 'kindwright';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { RunHistory } from '../../../src/console/recorder/run-history.js';

const LIMITS = { notableBytes: 100_000, routineBytes: 30_000 };
const STATES = 50_000;

let clock: FakeClock;
let history: RunHistory;
let ids: number;
beforeEach(() => {
  clock = new FakeClock();
  ids = 0;
  history = new RunHistory({
    clock,
    limits: LIMITS,
    stateBytes: STATES,
    freeze: (_, withChanges) => ({ why: 'a cause', causes: [], ops: withChanges ? [{ do: 'apply', atMs: 0 }] : [] }),
  });
});

function object(version: number, size = 10): KubeObject & { data: object } {
  const metadata = { name: 'm', namespace: 'team', uid: 'u', resourceVersion: String(version) };
  return { metadata, data: { text: 'x'.repeat(size) } };
}

function write(version: number, size?: number): WriteOp {
  const before = object(version, size);
  return { do: 'apply', kind: ConfigMap, key: 'team/m', before, after: object(version + 1, size), startMs: 0, ms: 1 };
}

function record({ key = 'team/a', ops = [], end = {} }: { key?: string; ops?: Op[]; end?: Partial<End> }): Run {
  const base = { id: `r${++ids}`, controller: 'gizmo', key, causes: [], causesOmitted: 0, attempt: 1, ops };
  const run: Run & { end?: End } = { ...base, startMs: clock.monotonic() };
  history.observer.began?.(run);
  run.end = { ms: 1, outcome: 'done', ...end };
  history.observer.ended?.(run);
  return run;
}

describe('the history of runs', () => {
  test('keeps runs without effect from replacing those that wrote or failed', async () => {
    const wrote = record({ ops: [write(1)] });
    const failed = record({ end: { outcome: 'failed', error: new Error('no') } });
    const slow = record({ end: { ms: 5000 } });
    for (let count = 0; count < 5000; count++) {
      record({ key: `team/${count % 7}` });
      await clock.advance(10);
    }
    for (const { id } of [wrote, failed, slow]) expect(history.get(id)?.isNotable).toBe(true);
    expect(history.dropped).toBeGreaterThan(4000);
  });

  test('replaces the runs of an object with many before those of others', () => {
    const rare = record({ key: 'team/rare', ops: [write(1)] });
    for (let count = 0; count < 2000; count++) record({ key: 'team/busy', ops: [write(count)] });
    expect(history.get(rare.id)).toBeDefined();
    expect(history.of({ controller: 'gizmo', key: 'team/busy' }).length).toBeGreaterThan(19);
  });

  test('never needs more than its budget, whatever is recorded', async () => {
    const step = fc.record({
      key: fc.integer({ min: 0, max: 5 }),
      size: fc.integer({ min: 0, max: 20_000 }),
      isWrite: fc.boolean(),
      waitMs: fc.constantFrom(0, 1, 300),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 300 }), async (steps) => {
        for (const [version, { key, size, isWrite, waitMs }] of steps.entries()) {
          record({ key: `team/${key}`, ops: isWrite ? [write(version, size)] : [] });
          await clock.advance(waitMs);
        }
        await clock.advance(10_000);
        expect(history.bytes).toBeLessThanOrEqual(LIMITS.notableBytes + LIMITS.routineBytes + STATES);
      }),
      { numRuns: 30 },
    );
  });

  test('keeps the details of a run whose states were released', async () => {
    const first = record({ ops: [write(1, 30_000)] });
    for (let count = 2; count < 8; count++) record({ ops: [write(count * 10, 30_000)] });
    await clock.advance(5000);
    expect(history.get(first.id)).toMatchObject({ causes: [], ops: [], writes: 1 });
    expect(history.get(first.id)?.frozen).toEqual({ why: 'a cause', causes: [], ops: [{ do: 'apply', atMs: 0 }] });
  });

  test('keeps one in 100 of more than 200 runs without effect in a second, and counts the others', () => {
    history = new RunHistory({ clock, freeze: () => ({ why: '', causes: [], ops: [] }) });
    for (let count = 0; count < 1200; count++) record({ key: `team/${count}` });
    expect(history.all()).toHaveLength(210);
    expect(history.dropped).toBe(990);
  });

  test('has runs that are still running', () => {
    const run = {
      id: 'r',
      controller: 'gizmo',
      key: 'team/a',
      causes: [],
      causesOmitted: 0,
      attempt: 1,
      ops: [],
      startMs: 0,
    };
    history.observer.began?.(run);
    expect(history.get('r')?.end).toBeUndefined();
    expect(history.all().map(({ id }) => id)).toEqual(['r']);
  });

  test.each([false, true])('names the run that wrote the state of an event: known before the event %p', (isKnown) => {
    const run = record({ ops: [write(1)] });
    const event = { type: 'update', old: object(1), object: object(2) } as const;
    const ref = { id: run.id, controller: 'gizmo', key: 'team/a' };
    const cause = { type: 'event', source: '@Owns(ConfigMap)', kind: ConfigMap, event } as const;
    expect(history.writerOf(isKnown ? { ...cause, byRun: ref } : cause)).toMatchObject(ref);
  });
});
