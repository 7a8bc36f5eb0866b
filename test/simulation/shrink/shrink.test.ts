import { expect, test } from '@jest/globals';
import { Trials } from '../../../src/simulation/explore/trials.js';
import type { Oracle } from '../../../src/simulation/oracles/oracle.js';
import { parseFault } from '../../../src/simulation/plan/fault-text.js';
import type { Plan, WorkloadStep } from '../../../src/simulation/plan/plan.js';
import type { History } from '../../../src/simulation/record/history.js';
import { shrink } from '../../../src/simulation/shrink/shrink.js';

const create = (name: string): WorkloadStep => ({
  do: 'create',
  object: { apiVersion: 'a.example.com/v1', kind: 'Web', metadata: { name, namespace: 'default' } },
});
const edit: WorkloadStep = {
  do: 'patch',
  object: 'Web default/b',
  patch: { spec: { size: 1, image: 'x' } },
  after: 'quiet',
};
const lag = parseFault('lag ms=60000 at event modified Web default/b #3');
const crash = parseFault('crash restart=later after create Secret default/b');

const historyOf = (plan: Plan): History => ({
  ...{ plan, commits: [], requests: [], reconciles: [], deliveries: [], steps: [], breakdowns: [] },
  ...{ definedKinds: [], ownedKinds: [], fieldManagers: [], hash: '' },
  calm: { at: 0, isQuiet: true, objects: [] },
  fired: plan.faults.map((fault) => ({ fault, at: 0 })),
});

/** Fails when the object b is created, its size changes, and the operator crashes. */
const oracle: Oracle = {
  name: 'test',
  words: 'fails on a crash with a change of the size of b',
  judge: ({ plan }) => {
    const text = JSON.stringify(plan.workload);
    const isBad =
      plan.faults.some(({ fault }) => fault === 'crash') && text.includes('"name":"b"') && text.includes('"size"');
    return isBad ? [{ oracle: 'test', reason: 'bad', message: 'bad' }] : [];
  },
};

test('a failing plan is reduced to the steps, faults and values that it needs', async () => {
  const trials = new Trials((plan) => Promise.resolve(historyOf(plan)), [oracle]);
  const plan: Plan = {
    ...{ seed: 7, given: [], replicas: 2, nodes: 2, schedule: 'random' },
    workload: [create('a'), create('b'), create('c'), edit, { do: 'delete', object: 'Web default/c' }],
    faults: [lag, crash, lag],
  };
  const verdict = await trials.examine(plan);
  const { verdict: smallest, runs } = await shrink(verdict, 'test |  |  | bad', trials, { isOver: () => false });
  expect(smallest.plan).toEqual({
    ...{ seed: 7, given: [], replicas: 1, nodes: 1, schedule: 'first' },
    workload: [create('b'), { do: 'patch', object: 'Web default/b', patch: { spec: { size: 1 } }, after: 'answered' }],
    faults: [parseFault('crash restart=now after create Secret default/b')],
  });
  expect(runs).toBeLessThan(60);
});

test('nothing is tried when the time is over', async () => {
  const trials = new Trials((plan) => Promise.resolve(historyOf(plan)), [oracle]);
  const plan: Plan = {
    seed: 0,
    given: [],
    workload: [create('b'), edit],
    faults: [crash],
    replicas: 1,
    nodes: 1,
    schedule: 'first',
  };
  const verdict = await trials.examine(plan);
  const shrunk = await shrink(verdict, 'test |  |  | bad', trials, { isOver: () => true });
  expect(shrunk).toEqual({ verdict, runs: 0 });
});
