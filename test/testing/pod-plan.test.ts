import { expect, test } from '@jest/globals';
import { serverPlanner, type PodPlan } from '../../src/testing/pod-plan.js';

const pod = { name: 'a', namespace: 'b', labels: {}, annotations: {}, nodeName: 'c', images: [], restarts: 0 };
const planned = (plan: PodPlan | undefined) => serverPlanner(() => plan)(pod);

test('times of a plan are durations', () => {
  expect(planned({ startDelay: '2s', runTime: 5, stopTime: '1m', exitCode: 1 })).toEqual({
    startDelayMs: 2000,
    runMs: 5,
    stopMs: 60_000,
    exitCode: 1,
  });
  expect(planned(undefined)).toEqual({});
});

test('a time that is not a duration, and a former name, are errors', () => {
  expect(() => planned({ runTime: '5 s' })).toThrow('runTime 5 s is not a duration');
  expect(() => planned({ runMs: 5 } as object)).toThrow(
    expect.objectContaining({
      code: 'E_RENAMED',
      message: 'planPod: runMs does not exist',
      hint: "write runTime: '5s'",
    }),
  );
});
