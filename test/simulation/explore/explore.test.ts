import { expect, test } from '@jest/globals';
import { explore, type ExploreOptions } from '../../../src/simulation/explore/explore.js';
import { planOfSeed, type PlanScope } from '../../../src/simulation/explore/plans.js';
import { Trials } from '../../../src/simulation/explore/trials.js';
import type { Alarm } from '../../../src/simulation/oracles/oracle.js';
import { planFor } from '../../../src/simulation/plan/written-plan.js';
import type { Plan } from '../../../src/simulation/plan/plan.js';
import type { Actor, History, ObjectRef } from '../../../src/simulation/record/history.js';

const web: ObjectRef = { group: 'a', version: 'v1', kind: 'Web', plural: 'webs', namespace: 'default', name: 'a' };
const secret: ObjectRef = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespace: 'default',
  name: 's',
};
const actor: Actor = { type: 'operator', name: 'operator-1', life: 1, reconcile: 0 };
const object = { kind: 'Web', metadata: { name: 'a', namespace: 'default' } };
const scope: PlanScope = {
  workloads: [{ name: 'create', plan: planFor([{ do: 'create', object }]) }],
  ...{ faults: ['crash', 'lost-answer'], depth: 1 },
};

/** A run in which one reconcile creates a Secret; each fault of its plan happens. */
function historyOf(plan: Plan): History {
  const metadata = { name: 's', namespace: 'default' };
  return {
    plan,
    commits: [{ index: 0, at: 2, actor, verb: 'create', object: secret, uid: 'u', after: { metadata }, request: 0 }],
    requests: [{ index: 0, at: 1, actor, verb: 'create', object: secret, status: 201 }],
    reconciles: [
      { index: 0, at: 1, actor, controller: 'web', object: web, reads: [], answers: [], outcome: 'done', endedAt: 3 },
    ],
    steps: [{ at: 0, status: 201 }],
    fired: plan.faults.map((fault) => ({ fault, at: 1 })),
    ...{ deliveries: [], breakdowns: [], definedKinds: [], ownedKinds: [], fieldManagers: [], hash: '' },
    calm: { at: 1000, isQuiet: true, objects: [] },
  };
}

function trialsWith(judge: (plan: Plan) => Alarm[]): { trials: Trials; played: Plan[] } {
  const played: Plan[] = [];
  const play = (plan: Plan): Promise<History> => {
    played.push(plan);
    return Promise.resolve(historyOf(plan));
  };
  return { trials: new Trials(play, [{ name: 'test', words: 'fails', judge: ({ plan }) => judge(plan) }]), played };
}

/** The three runs without faults, the workload, and its single faults. */
const SCHEDULES = 3 + 1 + 5;
const options: ExploreOptions = {
  schedules: SCHEDULES,
  workers: 1,
  keepGoing: false,
  isOver: () => false,
  onProgress: () => undefined,
};
const alarm = (reason: string): Alarm => ({ oracle: 'test', reason, message: reason });
const failsOn = (fault: string) => (plan: Plan) =>
  plan.faults.flatMap((each) => (each.fault === fault ? [alarm(fault)] : []));

test('each single fault is played at the moments where it matters, and counted', async () => {
  const { trials, played } = trialsWith(() => []);
  const { found, isComplete, schedules, coverage, virtualMs } = await explore(scope, trials, options);
  expect(found).toEqual([]);
  expect(isComplete).toBe(true);
  const faults = played.flatMap((plan) => plan.faults);
  expect(new Set(faults.map(({ fault }) => fault))).toEqual(new Set(['crash', 'lost-answer']));
  for (const { trigger } of faults) expect(trigger).toMatchObject({ point: 'committed', object: 'Secret default/s' });
  expect(coverage.faults.get('crash')).toEqual({ planned: 3, fired: 3 });
  expect(coverage.neverFired).toEqual([]);
  expect(coverage.undisturbed).toEqual([]);
  expect(virtualMs).toBe(schedules * 1000);
});

test('the search ends with the first problem, or goes on and returns each problem once', async () => {
  const both = (plan: Plan): Alarm[] => [...failsOn('crash')(plan), ...failsOn('lost-answer')(plan)];
  const first = await explore(scope, trialsWith(both).trials, options);
  expect(first.found.map(({ alarm: { reason } }) => reason)).toHaveLength(1);
  const all = await explore(scope, trialsWith(both).trials, { ...options, keepGoing: true });
  expect(all.found.map(({ alarm: { reason } }) => reason).sort()).toEqual(['crash', 'lost-answer']);
});

test('a problem without faults is returned alone', async () => {
  const { trials, played } = trialsWith(() => [alarm('always')]);
  const { found } = await explore(scope, trials, { ...options, keepGoing: true });
  expect(found).toMatchObject([{ name: 'without faults', alarm: { reason: 'always' } }]);
  expect(played.every(({ faults }) => faults.length === 0)).toBe(true);
});

test('nothing new begins when the time is over', async () => {
  const { trials, played } = trialsWith(() => []);
  const { isComplete } = await explore(scope, trials, { ...options, isOver: () => true });
  expect(isComplete).toBe(false);
  expect(played.every(({ faults }) => faults.length === 0)).toBe(true);
});

test('a number of schedules gives the same plans with each number of workers', async () => {
  const playedBy = async (workers: number): Promise<string[]> => {
    const { trials, played } = trialsWith(() => []);
    const { isComplete, schedules } = await explore(scope, trials, { ...options, workers, schedules: 30 });
    expect([isComplete, schedules]).toEqual([true, 30]);
    return played.map((plan) => JSON.stringify(plan)).sort();
  };
  expect(await playedBy(4)).toEqual(await playedBy(1));
});

test('a seed gives the same plan each time, and others give others', async () => {
  const { trials } = trialsWith(() => []);
  const plans = await Promise.all([1, 1, 2, 3].map(async (seed) => (await planOfSeed(seed, scope, trials)).plan));
  expect(plans[1]).toEqual(plans[0]);
  expect(plans[0]?.faults.length).toBeGreaterThan(0);
  expect(new Set(plans.map((plan) => JSON.stringify(plan))).size).toBe(3);
});

test('pairs of faults follow the single ones', async () => {
  const { trials, played } = trialsWith(() => []);
  await explore({ ...scope, faults: ['crash'], depth: 2 }, trials, { ...options, schedules: 15 });
  const counts = played.map(({ faults }) => faults.length);
  expect(counts).toContain(2);
  expect(counts.indexOf(2)).toBeGreaterThan(counts.indexOf(1));
});
