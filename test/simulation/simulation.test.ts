import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { Plan, PlannedFault } from '../../src/simulation/plan/plan.js';
import type { History } from '../../src/simulation/record/history.js';

// Compiled: a worker thread loads modules without the transforms of jest.
const MODULE = '../../dist/simulation/world/simulate-plan.js';
interface Runner extends AsyncDisposable {
  run(plan: Plan): Promise<History>;
}
const { Simulation } = (await import(MODULE)) as {
  readonly Simulation: { load(files: readonly string[]): Promise<Runner> };
};

const POD_SET = {
  apiVersion: 'apps.jicki.cn/v1alpha1',
  kind: 'PodSet',
  metadata: { name: 'a', namespace: 'default' },
  spec: { size: 3 },
};
const PLAN: Plan = {
  seed: 1,
  given: [],
  workload: [
    { do: 'create', object: POD_SET },
    { do: 'patch', object: 'PodSet default/a', patch: { spec: { size: 1 } }, after: 'quiet' },
  ],
  faults: [],
  replicas: 1,
  nodes: 2,
  schedule: 'first',
};
const APPLY = { verb: 'apply', object: 'Deployment default/a', nth: 1 } as const;

/** The kinds and counts of the objects that the user has asked for, directly or not. */
function result({ calm }: History): Record<string, number> {
  const kinds = calm.objects
    .filter(({ metadata, kind }) => metadata.namespace === 'default' && kind !== 'Event')
    .map(({ kind = '' }) => kind);
  return Object.fromEntries(
    [...new Set(kinds)].sort().map((kind) => [kind, kinds.filter((each) => each === kind).length]),
  );
}

describe('a simulated operator', () => {
  let simulation: Runner;
  let clean: History;

  beforeAll(async () => {
    simulation = await Simulation.load([join(process.cwd(), 'operators/podset.ts')]);
    clean = await simulation.run(PLAN);
  });

  afterAll(async () => {
    await simulation[Symbol.asyncDispose]();
  });

  const withFault = (fault: PlannedFault): Promise<History> => simulation.run({ ...PLAN, faults: [fault] });

  it('reaches the state that its objects ask for, and nothing is left of them at the end', () => {
    expect(result(clean)).toMatchObject({ PodSet: 1, Deployment: 1, Pod: 1 });
    expect(clean.calm.isQuiet && clean.poked?.isQuiet && clean.removed?.isQuiet).toBe(true);
    const left = clean.removed?.objects.filter(({ kind = '' }) => ['PodSet', 'Deployment', 'Pod'].includes(kind));
    expect(left).toEqual([]);
  });

  it('is recorded with commits, requests, reconciles and what they read', () => {
    const created = clean.commits.find(({ object, verb }) => object.kind === 'Deployment' && verb === 'create');
    expect(created?.actor).toMatchObject({ type: 'operator', name: 'operator-1', life: 1 });
    const request = clean.requests[created?.request ?? -1];
    expect(request).toMatchObject({ verb: 'apply', status: 201, object: { kind: 'Deployment', name: 'a' } });
    const reconcile = clean.reconciles[request?.actor.reconcile ?? -1];
    expect(reconcile).toMatchObject({ outcome: 'done', object: { kind: 'PodSet', namespace: 'default', name: 'a' } });
    expect(reconcile?.reads).toContainEqual({ listed: 'Pod' });
    expect(clean.deliveries).toContainEqual(
      expect.objectContaining({
        type: 'added',
        object: expect.objectContaining({ kind: 'PodSet', name: 'a' }) as object,
      }),
    );
    expect(clean.steps.map(({ status }) => status)).toEqual([201, 200]);
    expect(clean).toMatchObject({
      definedKinds: ['PodSet.apps.jicki.cn'],
      ownedKinds: ['Deployment.apps'],
      breakdowns: [],
    });
  });

  it.each(['first', 'random', 'priorities'] as const)(
    'runs the same in each run of the schedule %s',
    async (schedule) => {
      const plan = { ...PLAN, schedule, seed: 7 };
      const { hash } = await simulation.run(plan);
      await simulation.run({ ...plan, seed: 8 });
      expect((await simulation.run(plan)).hash).toBe(hash);
      await using other = await Simulation.load([join(process.cwd(), 'operators/podset.ts')]);
      expect((await other.run(plan)).hash).toBe(hash);
    },
  );

  it('gives each object a uid of its own, also in a run with the first seed', async () => {
    const { calm } = await simulation.run({ ...PLAN, seed: 0 });
    const uids = calm.objects.map(({ metadata }) => metadata.uid);
    expect(new Set(uids).size).toBe(uids.length);
  });

  it('is another one for another seed', async () => {
    const [one, other] = [1, 2].map((seed) => ({ ...PLAN, seed, schedule: 'random' as const }));
    expect((await simulation.run(one!)).hash).not.toBe((await simulation.run(other!)).hash);
  });

  it('gives each object a uid of its own, also with the seed of the first plan', async () => {
    const { calm } = await simulation.run({ ...PLAN, seed: 0 });
    const uids = calm.objects.map(({ metadata }) => metadata.uid);
    expect(new Set(uids).size).toBe(uids.length);
  });

  it('is given up when the operator writes in a loop', async () => {
    const file = 'test/simulation/mutants/m33-written-back-without.ts';
    await using other = await Simulation.load([join(process.cwd(), file)]);
    const metadata = { name: 'a', namespace: 'default' };
    const object = { apiVersion: 'mutants.example.com/v1', kind: 'Stage', metadata, spec: { replicas: 1 } };
    const { calm, removed, commits } = await other.run({ ...PLAN, workload: [{ do: 'create', object }] });
    expect(calm.isQuiet).toBe(false);
    expect(removed).toBeUndefined();
    expect(commits.filter(({ actor }) => actor.type === 'operator').length).toBeLessThan(1500);
  });

  it('lives in virtual time', async () => {
    const startMs = performance.now();
    const { removed } = await simulation.run(PLAN);
    expect(removed?.at).toBeGreaterThan(200_000);
    expect(performance.now() - startMs).toBeLessThan(100_000);
    const [created] = clean.commits;
    expect(created?.after?.metadata.creationTimestamp).toMatch(/^2026-01-01T00:/);
  });

  it('sends nothing after it was killed, and goes on in another life', async () => {
    const history = await withFault({
      fault: 'crash',
      trigger: { point: 'committed', ...APPLY },
      options: { restart: 'later' },
    });
    const [fired] = history.fired;
    const sentBy = (life: number): number[] =>
      history.requests.filter(({ actor }) => actor.type === 'operator' && actor.life === life).map(({ at }) => at);
    expect(Math.max(...sentBy(1))).toBeLessThanOrEqual(fired?.at ?? -1);
    expect(Math.min(...sentBy(2))).toBeGreaterThan((fired?.at ?? 0) + 10_000);
    expect(result(history)).toEqual(result(clean));
  });

  it.each([
    ['lost-answer', { point: 'committed', ...APPLY }, { by: 'reset' }],
    ['refuse', { point: 'sent', ...APPLY }, { status: 503 }],
    ['conflict', { point: 'sent', ...APPLY }, { times: 1 }],
    ['slow-api', { point: 'sent', ...APPLY }, { ms: 5000 }],
    ['lag', { point: 'delivered', verb: 'modified', object: 'Deployment default/a', nth: 1 }, { ms: 10_000 }],
    ['skip', { point: 'delivered', verb: 'added', object: 'Deployment default/a', nth: 1 }, {}],
    ['merge', { point: 'delivered', verb: 'modified', object: 'Deployment default/a', nth: 1 }, { ms: 0 }],
    ['relist', { point: 'delivered', verb: 'modified', object: 'Deployment default/a', nth: 1 }, {}],
    ['stop', { point: 'reconcile begins', object: 'PodSet default/a', nth: 1 }, {}],
    ['delete-child', { point: 'committed', ...APPLY }, { propagation: 'Background' }],
    ['edit', { point: 'committed', ...APPLY }, { what: 'field' }],
    ['slow', { point: 'committed', ...APPLY }, { controller: 'garbage-collector' }],
  ] as const)('survives the fault %s, which has happened', async (fault, trigger, options) => {
    const history = await withFault({ fault, trigger, options });
    expect(history.fired).toHaveLength(1);
    expect(history.hash).not.toBe(clean.hash);
    expect(history.calm.isQuiet).toBe(true);
    expect(result(history)).toEqual(result(clean));
  });

  it('gets no answer to a write that has taken effect', async () => {
    const history = await withFault({
      fault: 'lost-answer',
      trigger: { point: 'committed', ...APPLY },
      options: { by: 'reset' },
    });
    const lost = history.requests.filter(({ lost: what }) => what === 'reset');
    expect(lost).toHaveLength(1);
    expect(history.commits.some(({ request }) => request === lost[0]?.index)).toBe(true);
  });

  it('rejects a fault that does not exist', async () => {
    const run = withFault({ fault: 'flood', trigger: { point: 'start', nth: 1 } });
    await expect(run).rejects.toThrow('unknown fault "flood"');
  });

  it.each([
    { of: 'own', late: 'PodSet', inTime: 'Deployment' },
    { of: 'others', late: 'Deployment', inTime: 'PodSet' },
  ])('has a standby with late watches of $of kinds', async ({ of, late, inTime }) => {
    const lagMs = 60_000;
    const fault = {
      fault: 'takeover',
      trigger: { point: 'step', nth: 2 },
      options: { dies: 'step', lagMs, of },
    } as const;
    const { deliveries, fired } = await simulation.run({ ...PLAN, replicas: 2, faults: [fault] });
    const startMs = fired[0]?.at ?? 0;
    // Longer than a cache in time is behind, and over before the last phase, in which no fault lasts.
    const endMs = startMs + 100;
    const kinds = deliveries
      .filter(({ actor, at }) => actor.name === 'operator-2' && at > startMs && at < endMs)
      .map(({ object }) => object.kind);
    expect(kinds).toContain(inTime);
    expect(kinds).not.toContain(late);
  });
});
