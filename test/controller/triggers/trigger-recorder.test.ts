import { expect, test } from '@jest/globals';
import { joinObservers } from '../../../src/api/reconcile/join-observers.js';
import type { ReconcileObserver, TriggerRun } from '../../../src/api/reconcile/reconcile-observer.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { TriggerRecorder } from '../../../src/controller/triggers/trigger-recorder.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

const logger = new RecordingLogger();
const clock = new FakeClock();
const recorder = (observer?: ReconcileObserver) =>
  new TriggerRecorder({ controller: 'gizmo', observer, clock, logger });
const live = new AbortController().signal;

test('without an observer, a source or a task has no run', async () => {
  expect(await recorder().during({ source: '@Source poll' }, live, async (run) => run)).toBeUndefined();
});

test('all joined observers observe a run, nested in each other', async () => {
  const calls: string[] = [];
  const observer = (name: string): ReconcileObserver => ({
    triggerBegan: ({ controller, source }) => calls.push(`${name} began ${controller} ${source}`),
    withinTrigger: (_run, call) => {
      calls.push(`${name} enters`);
      call();
      calls.push(`${name} leaves`);
    },
    triggerEnded: ({ end }) => calls.push(`${name} ended ${String(end?.error?.message)}`),
  });
  const work = (): Promise<void> => {
    calls.push('work');
    return Promise.reject(new Error('no'));
  };
  const joined = joinObservers(observer('a'), {}, observer('b'));
  await expect(recorder(joined).during({ source: '@Source poll' }, live, work)).rejects.toThrow('no');
  const began = ['a began gizmo @Source poll', 'b began gizmo @Source poll'];
  expect(calls).toEqual([
    ...began,
    ...['a enters', 'b enters', 'work', 'b leaves', 'a leaves'],
    ...['a ended no', 'b ended no'],
  ]);
});

test('an error after the abort is not one of the run, and the task still rejects', async () => {
  const runs: TriggerRun[] = [];
  const aborted = AbortSignal.abort(new Error('stop'));
  const call = recorder({ triggerEnded: (run) => runs.push(run) }).during(
    { source: '@Daemon stay', key: 'team/a' },
    aborted,
    () => Promise.reject(new Error('stop')),
  );
  await expect(call).rejects.toThrow('stop');
  expect(runs).toEqual([{ controller: 'gizmo', source: '@Daemon stay', key: 'team/a', startMs: 0, end: { ms: 0 } }]);
});

test.each(['triggerBegan', 'withinTrigger', 'triggerEnded'] as const)(
  'an error of ReconcileObserver.%s is logged, and the work is called once',
  async (method) => {
    let count = 0;
    const fail = (): never => {
      throw new Error('broken observer');
    };
    const work = (): Promise<number> => Promise.resolve(++count);
    expect(await recorder({ [method]: fail }).during({ source: '@Source poll' }, live, work)).toBe(1);
    expect(logger.messages('error').at(-1)).toBe(`ReconcileObserver.${method} threw an error`);
  },
);
