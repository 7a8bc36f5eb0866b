import { describe, expect, test } from '@jest/globals';
import { plansOf, type NamedPlan } from '../../../src/simulation/explore/plans.js';
import { Trials } from '../../../src/simulation/explore/trials.js';
import type { Plan } from '../../../src/simulation/plan/plan.js';
import type { History } from '../../../src/simulation/record/history.js';
import { child, refOf, RunBuilder, USER, web } from '../canonical/run-builder.js';

/** A run in which the operator makes some Secrets for each object of the workload. */
function play(plan: Plan): Promise<History> {
  const builder = new RunBuilder();
  for (const step of plan.workload) {
    if (step.do !== 'create') continue;
    const owner = builder.create(USER, web(step.object.metadata.name));
    const actor = builder.reconcile(owner);
    for (const name of ['tls', 'users', 'tokens']) {
      const secret = child('Secret', `${owner.metadata.name}-${name}`, owner);
      builder.create(actor, secret, builder.request({ verb: 'create', object: refOf(secret), actor }));
    }
  }
  return Promise.resolve({ ...builder.build(), plan });
}

function workload(name: string): NamedPlan {
  const steps = [{ do: 'create', object: web(name) }] as const;
  return { name, plan: { seed: 0, given: [], workload: steps, faults: [], replicas: 1, nodes: 1, schedule: 'first' } };
}

/** The plans before the random ones. */
async function played(workloads: readonly (NamedPlan & { readonly isPlain?: boolean })[]): Promise<NamedPlan[]> {
  const plans: NamedPlan[] = [];
  const scope = { workloads, faults: ['crash', 'lost-answer'], depth: 1 } as const;
  for await (const plan of plansOf(scope, new Trials(play, []))) {
    if (plan.name.startsWith('seed ')) break;
    plans.push(plan);
  }
  return plans;
}

const faultOf = ({ plan }: NamedPlan): string => plan.faults[0]?.fault ?? 'none';

describe('the plans', () => {
  test('play the faults in turn, and the next workload after a few of them', async () => {
    const plans = await played([workload('a'), workload('b')]);
    expect(plans.slice(0, 6).map(faultOf)).toEqual(['none', 'crash', 'lost-answer', 'crash', 'lost-answer', 'none']);
    expect(plans[5]?.name).toBe('b, without faults');
  });

  test('contain each fault at each write of each workload once', async () => {
    const plans = await played([workload('a'), workload('b')]);
    const texts = plans.map(({ plan }) => JSON.stringify([plan.workload, plan.faults]));
    expect(new Set(texts).size).toBe(texts.length);
    // Three writes: three variants of crash and two of lost-answer at each.
    expect(plans.filter(({ plan }) => plan.faults.length === 1)).toHaveLength(2 * 3 * (3 + 2));
  });

  test('contain no single faults of a plain workload', async () => {
    const plans = await played([{ ...workload('a'), isPlain: true }]);
    expect(plans.map(({ name }) => name)).toEqual(['a, without faults']);
  });
});
