import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Plan } from '../../../src/simulation/plan/plan.js';
import { parseWrittenPlan, planOf, writtenPlan } from '../../../src/simulation/plan/written-plan.js';

const workload: Plan['workload'] = [{ do: 'delete', object: 'Web default/a', after: 'quiet' }];
const plans: fc.Arbitrary<Plan> = fc.record({
  workload: fc.constant(workload),
  seed: fc.nat(1000),
  given: fc.constantFrom([], [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }]),
  faults: fc.subarray<Plan['faults'][number]>([
    { fault: 'crash', trigger: { point: 'start', nth: 1 } },
    { fault: 'lag', trigger: { point: 'delivered', verb: 'added', object: 'Pod a/b', nth: 2 }, options: { ms: 1000 } },
  ]),
  replicas: fc.constantFrom(1, 2),
  nodes: fc.constantFrom(1, 2, 3),
  schedule: fc.constantFrom('first', 'random', 'priorities'),
});

test('a plan is read back from its short form, and from the JSON of that', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const written = writtenPlan(plan);
      expect(planOf(written, ['crash', 'lag'])).toEqual(plan);
      expect(parseWrittenPlan(JSON.stringify(written))).toEqual(written);
    }),
  );
});

test('values that are the default are left out', () => {
  expect(writtenPlan(planOf({ workload }, []))).toEqual({ workload, faults: [] });
});

test('other JSON and unknown faults are rejected', () => {
  for (const text of ['{', '{}', '{"workload":1}', '{"workload":[],"faults":[1]}'])
    expect(() => parseWrittenPlan(text)).toThrow('the JSON of the plan cannot be read');
  expect(() => planOf({ workload, faults: ['flood at start'] }, ['crash'])).toThrow(
    '"flood" is not the name of a fault',
  );
});
