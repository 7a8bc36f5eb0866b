import { expect, test } from '@jest/globals';
import { Trials } from '../../../src/simulation/explore/trials.js';
import { parseFault } from '../../../src/simulation/plan/fault-text.js';
import type { Plan } from '../../../src/simulation/plan/plan.js';
import type { History } from '../../../src/simulation/record/history.js';
import { inevitableAfter } from '../../../src/simulation/shrink/inevitable.js';

const MOMENTS = [0, 2, 5, 9, 40];
const plan: Plan = {
  ...{ seed: 0, given: [], workload: [{ do: 'delete', object: 'Web default/a' }] },
  ...{ faults: [parseFault('crash at start')], replicas: 1, nodes: 1, schedule: 'first' },
};

/** Runs that fail if they follow the plan up to a moment, and otherwise in the schedules of some seeds. */
function trialsOf(causeMs: number, lucky: (seed: number) => boolean): Trials {
  const fails = ({ faults, divergence }: Plan): boolean => {
    const { afterMs = Infinity, seed = 0 } = divergence ?? {};
    return faults.length > 0 && (afterMs >= causeMs || !lucky(seed));
  };
  const historyOf = (each: Plan): History => ({
    ...{ plan: each, commits: [], requests: [], reconciles: [], deliveries: [], steps: [], breakdowns: [], fired: [] },
    ...{ definedKinds: [], ownedKinds: [], fieldManagers: [], hash: '', calm: { at: 0, isQuiet: true, objects: [] } },
  });
  const judge = ({ plan: each }: History) => (fails(each) ? [{ oracle: 'test', reason: 'bad', message: 'bad' }] : []);
  return new Trials((each) => Promise.resolve(historyOf(each)), [{ name: 'test', words: 'fails', judge }]);
}

const failing = { plan, problem: 'test |  |  | bad' };

test('the first moment after which every schedule fails is found', async () => {
  const trials = trialsOf(5, (seed) => seed === 10);
  expect(await inevitableAfter(failing, MOMENTS, trials, () => false)).toBe(5);
});

test('a moment from which one of ten schedules succeeds is not inevitable', async () => {
  const trials = trialsOf(50, (seed) => seed === 10);
  expect(await inevitableAfter(failing, MOMENTS, trials, () => false)).toBeUndefined();
});

test('nothing is claimed when the time is over', async () => {
  const trials = trialsOf(0, () => false);
  let runs = 0;
  expect(await inevitableAfter(failing, MOMENTS, trials, () => ++runs > 12)).toBeUndefined();
});
