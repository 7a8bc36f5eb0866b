import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalNames } from '../../../src/simulation/canonical/canonical-names.js';
import { canonicalState } from '../../../src/simulation/canonical/canonical-state.js';
import { StateMask, stateDifferences } from '../../../src/simulation/canonical/compare-states.js';
import type { History } from '../../../src/simulation/record/history.js';
import { child, CONTROLLER, OPERATOR, RunBuilder, USER, web } from './run-builder.js';

interface Chance {
  readonly prefix: string;
  readonly hash: string;
  readonly pods: readonly string[];
  readonly password: string;
}

const CHANCE: Chance = { prefix: 'u', hash: '5d4f9c7b8d', pods: ['x7k2p', 'bcdfg'], password: 'secret' };

/** A Web with a Deployment of pods, a Secret and a status that names the pods. */
function run({ prefix, hash, pods, password }: Chance): History {
  const builder = new RunBuilder(prefix);
  const owner = builder.create(USER, web('a', { spec: { size: pods.length } }));
  builder.create(OPERATOR, child('Secret', 'a-password', owner, { data: { password } }));
  const deployment = builder.create(OPERATOR, child('Deployment', 'a', owner, { spec: { replicas: pods.length } }));
  const set = builder.create(CONTROLLER, child('ReplicaSet', `a-${hash}`, deployment, { spec: { replicas: 2 } }));
  const names = pods.map((suffix) => {
    const volumes = [{ name: `kube-api-access-${suffix}` }];
    const pod = child('Pod', `a-${hash}-${suffix}`, set, { spec: { nodeName: `node-${suffix}`, volumes } });
    pod.metadata.generateName = `a-${hash}-`;
    return builder.create(CONTROLLER, pod).metadata.name;
  });
  builder.update(OPERATOR, owner, (draft) => {
    draft['status'] = { nodes: names, message: `created pod ${names[0] ?? ''}`, since: '2026-01-01T00:00:00Z' };
  });
  return builder.build();
}

const suffix = fc.stringMatching(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
const chance = fc.record({
  prefix: fc.stringMatching(/^[a-f0-9]{8}$/),
  hash: fc.stringMatching(/^[bcdf2456789]{10}$/),
  pods: fc.uniqueArray(suffix, { minLength: 2, maxLength: 2 }),
  password: fc.constant('secret'),
});

function volume(suffix: string): object {
  return { spec: { volumes: [{ name: `kube-api-access-${suffix}` }] } };
}

function differences(one: History, other: History) {
  return stateDifferences(canonicalState(one, one.calm), canonicalState(other, other.calm));
}

describe('canonical names', () => {
  test('name generated objects by their role', () => {
    const history = run(CHANCE);
    const names = canonicalNames(history);
    const [, , , , , second] = history.commits;
    expect(names.text({ kind: 'Pod', namespace: 'default', name: 'a-5d4f9c7b8d-bcdfg' }, second?.uid)).toBe(
      'Pod 2 of ReplicaSet 1 of Deployment default/a',
    );
    expect(names.groupText({ kind: 'Pod', namespace: 'default', name: 'a-5d4f9c7b8d-bcdfg' })).toBe(
      'Pod of ReplicaSet of Deployment default/a',
    );
  });

  test('name objects by their role whose long names the API server has cut', () => {
    const builder = new RunBuilder();
    const generateName = `${'a'.repeat(60)}-5d4f9c7b8d-`;
    const set = builder.create(OPERATOR, child('ReplicaSet', 'a'));
    const pod = child('Pod', `${generateName.slice(0, 58)}wzjks`, set);
    pod.metadata.generateName = generateName;
    const { name, uid } = builder.create(CONTROLLER, pod).metadata;
    const names = canonicalNames(builder.build());
    expect(names.text({ kind: 'Pod', namespace: 'default', name }, uid)).toBe('Pod 1 of ReplicaSet default/a');
  });

  test('keep names that the user or the code chose', () => {
    const names = canonicalNames(run(CHANCE));
    expect(names.text({ kind: 'Secret', namespace: 'default', name: 'a-password' })).toBe('Secret default/a-password');
    expect(names.text({ kind: 'Node', name: 'node-1' })).toBe('Node node-1');
  });

  test('number the pods of a StatefulSet by their own ordinals', () => {
    const builder = new RunBuilder();
    const set = builder.create(OPERATOR, child('StatefulSet', 'a'));
    builder.create(CONTROLLER, child('Pod', 'a-0', set));
    const names = canonicalNames(builder.build());
    expect(names.text({ kind: 'Pod', namespace: 'default', name: 'a-0' })).toBe('Pod default/a-0');
  });

  test('recognize random names that the operator made itself', () => {
    const builder = new RunBuilder();
    const owner = builder.create(USER, web());
    const made = builder.create(OPERATOR, child('ConfigMap', 'a-k3x9f2', owner));
    const names = canonicalNames(builder.build());
    expect(names.text({ kind: 'ConfigMap', namespace: 'default', name: 'a-k3x9f2' }, made.metadata.uid)).toBe(
      'ConfigMap 1 of Web default/a',
    );
  });
});

describe('the canonical state', () => {
  test('is equal for runs that differ in uids, generated names and nodes', () => {
    fc.assert(
      fc.property(chance, chance, (one, other) => {
        expect(differences(run(one), run(other))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('shows a missing object and a changed field', () => {
    const one = run(CHANCE);
    const other = run({ ...CHANCE, pods: ['x7k2p'], password: 'other' });
    expect(differences(one, other).map(({ object, field }) => `${object} ${field}`.trim())).toEqual([
      'Web default/a spec.size',
      'Web default/a status.nodes',
      'Secret default/a-password data.password',
      'Deployment default/a spec.replicas',
      'Pod 2 of ReplicaSet of Deployment default/a',
    ]);
  });

  test('leaves out former ReplicaSets and Events', () => {
    const builder = new RunBuilder();
    const deployment = builder.create(OPERATOR, child('Deployment', 'a'));
    builder.create(CONTROLLER, child('ReplicaSet', 'a-5d4f9c7b8d', deployment, { spec: { replicas: 0 } }));
    builder.create(OPERATOR, child('Event', 'a.1'));
    const history = builder.build();
    expect([...canonicalState(history, history.calm).texts()]).toEqual(['Deployment default/a']);
  });

  test('compares objects that only the other run has changed', () => {
    const [one, other] = [new RunBuilder(), new RunBuilder()];
    one.given(child('Node', 'node-1', undefined, { spec: {} }));
    const node = other.given(child('Node', 'node-1', undefined, { spec: {} }));
    other.update(OPERATOR, node, (draft) => {
      draft['spec'] = { unschedulable: true };
    });
    expect(differences(one.build(), other.build()).map(({ field }) => field)).toEqual(['spec.unschedulable']);
  });

  test('replaces an observedGeneration by its relation to the generation', () => {
    const at = (generation: number, observedGeneration: number): History => {
      const builder = new RunBuilder();
      const object = web('a', { status: { observedGeneration } });
      object.metadata.generation = generation;
      builder.create(USER, object);
      return builder.build();
    };
    expect(differences(at(1, 1), at(4, 4))).toEqual([]);
    expect(differences(at(1, 1), at(4, 3))).toMatchObject([{ expected: '<current>', actual: '<older>' }]);
  });
});

test.each<[string, object, object]>([
  ['an empty list and an absent one', { status: { nodes: [] } }, {}],
  ['the volumes with tokens of pods', volume('x7k2p'), volume('bcdfg')],
  ['a failure that is over and none', { status: { conditions: [{ type: 'Reconciled', status: 'True' }] } }, {}],
])('the canonical state is equal for %s', (_, one, other) => {
  const [a, b] = [one, other].map((values) => {
    const builder = new RunBuilder();
    builder.create(USER, web('a', values));
    return builder.build();
  });
  expect(differences(a as History, b as History)).toEqual([]);
});

test('the canonical state shows a failure that is not over', () => {
  const builder = new RunBuilder();
  builder.create(USER, web('a', { status: { conditions: [{ type: 'Reconciled', status: 'False' }] } }));
  const other = new RunBuilder();
  other.create(USER, web('a', {}));
  expect(differences(other.build(), builder.build()).map(({ field }) => field)).toEqual(['status']);
});

describe('a mask', () => {
  test('hides the fields that differ among the references, and no others', () => {
    const mask = new StateMask([run(CHANCE), run({ ...CHANCE, password: 'other' }), run(CHANCE)]);
    expect(mask.texts()).toEqual(['Secret default/a-password data.password']);
    expect(mask.hides({ object: 'Secret default/a-password', field: 'data.password' })).toBe(true);
    expect(mask.hides({ object: 'Secret default/a-password', field: 'data.user' })).toBe(false);
    expect(mask.hides({ object: 'Secret default/a-password', field: '' })).toBe(false);
  });

  test('hides generated objects in the same role', () => {
    const mask = new StateMask([run(CHANCE), run({ ...CHANCE, pods: ['x7k2p', 'bcdfg', 'zzzzz'] })]);
    expect(mask.hides({ object: 'Pod 2 of ReplicaSet of Deployment default/a', field: '' })).toBe(true);
  });
});
