import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OperatorError } from '../../../src/base/operator-error.js';
import { formatFault, formatFaults, parseFault, parseFaults } from '../../../src/simulation/plan/fault-text.js';
import type { PlannedFault, Trigger } from '../../../src/simulation/plan/plan.js';

const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}$/).filter((text) => text !== 'of');
const kind = fc.stringMatching(/^[A-Z][A-Za-z]{0,8}$/);
const object = fc.oneof(
  fc.tuple(kind, name, name).map(([of, namespace, own]) => `${of} ${namespace}/${own}`),
  fc.tuple(kind, name).map(([of, own]) => `${of} ${own}`),
  fc.tuple(kind, fc.nat(9), kind, name).map(([of, index, owner, own]) => `${of} ${index} of ${owner} default/${own}`),
);
const nth = fc.integer({ min: 1, max: 99 });
const subresource = fc.constantFrom('status', 'scale', 'finalize');
const verb = fc.constantFrom('get', 'list', 'create', 'update', 'patch', 'apply', 'delete');

const request = (point: Trigger['point'], verbs: fc.Arbitrary<string>): fc.Arbitrary<Trigger> =>
  fc.record(
    { point: fc.constant(point), nth, verb: verbs, object, subresource },
    { requiredKeys: ['point', 'nth', 'verb'] },
  );

const trigger: fc.Arbitrary<Trigger> = fc.oneof(
  fc.constant({ point: 'start', nth: 1 } as const),
  fc.record({ point: fc.constant('step' as const), nth }),
  fc.record(
    { point: fc.constantFrom('reconcile begins' as const, 'reconcile ends' as const), nth, object },
    { requiredKeys: ['point', 'nth'] },
  ),
  request('sent', verb),
  request('answered', verb),
  request('committed', fc.constantFrom('create', 'update', 'delete')),
  request('delivered', fc.constantFrom('added', 'modified', 'deleted', 'listed')),
);

const value = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
  fc.nat(),
);
const options = fc.dictionary(
  fc.oneof(
    fc.constantFrom('kind', 'ms', 'restart', 'times'),
    fc.stringMatching(/^[a-z]\w{0,6}$/).filter((key) => key !== '__proto__'),
  ),
  fc.oneof(value, kind),
  { minKeys: 1, noNullPrototype: true },
);
const planned: fc.Arbitrary<PlannedFault> = fc.record(
  { fault: fc.constantFrom('crash', 'lost-answer', 'lag'), trigger, options },
  { requiredKeys: ['fault', 'trigger'] },
);

const hintOf = (text: string, known?: readonly string[]): string => {
  try {
    parseFault(text, known);
  } catch (error) {
    if (error instanceof OperatorError) return `${error.code} ${error.message}; ${error.hint ?? ''}`;
    throw error;
  }
  throw new Error(`${text} is valid`);
};

describe('the text of a fault', () => {
  test.each<[string, PlannedFault]>([
    [
      'crash after create Secret default/a-tls',
      { fault: 'crash', trigger: { point: 'committed', verb: 'create', object: 'Secret default/a-tls', nth: 1 } },
    ],
    [
      'lag Pod 10s from delete Pod default/a-1',
      {
        fault: 'lag',
        trigger: { point: 'committed', verb: 'delete', object: 'Pod default/a-1', nth: 1 },
        options: { kind: 'Pod', ms: 10_000 },
      },
    ],
    [
      'crash restart=later after update status of PodSet default/a #2',
      {
        fault: 'crash',
        trigger: { point: 'committed', verb: 'update', object: 'PodSet default/a', subresource: 'status', nth: 2 },
        options: { restart: 'later' },
      },
    ],
    [
      'recreate before reconcile of PodSet default/a #2',
      { fault: 'recreate', trigger: { point: 'reconcile begins', object: 'PodSet default/a', nth: 2 } },
    ],
    [
      'merge at event deleted Pod 2 of ReplicaSet 1 of Deployment default/a',
      {
        fault: 'merge',
        trigger: {
          point: 'delivered',
          verb: 'deleted',
          object: 'Pod 2 of ReplicaSet 1 of Deployment default/a',
          nth: 1,
        },
      },
    ],
    ['refuse before list Pod', { fault: 'refuse', trigger: { point: 'sent', verb: 'list', object: 'Pod', nth: 1 } }],
    ['crash after write #3', { fault: 'crash', trigger: { point: 'committed', nth: 3 } }],
    ['lag 1m at event', { fault: 'lag', trigger: { point: 'delivered', nth: 1 }, options: { ms: 60_000 } }],
    ['stop at start', { fault: 'stop', trigger: { point: 'start', nth: 1 } }],
    ['crash after step 2', { fault: 'crash', trigger: { point: 'step', nth: 2 } }],
  ])('%s is parsed and formatted', (text, fault) => {
    expect(parseFault(text)).toEqual(fault);
    expect(formatFault(fault)).toBe(text);
  });

  test('is parsed to the fault that was formatted', () => {
    fc.assert(
      fc.property(planned, (fault) => {
        expect(parseFault(formatFault(fault))).toEqual(fault);
      }),
    );
  });

  test('is also written in a list', () => {
    fc.assert(
      fc.property(fc.array(planned, { minLength: 1, maxLength: 4 }), (faults) => {
        expect(parseFaults(formatFaults(faults))).toEqual(faults);
      }),
    );
  });

  test('is rejected with an error that names the part and the remedy', () => {
    expect(hintOf('')).toBe('E_PLAN plan: a fault has no name; write for example: crash after create Secret default/a');
    expect(hintOf('crush after write', ['crash', 'lag'])).toBe(
      'E_PLAN plan: "crush" is not the name of a fault; did you mean crash?',
    );
    expect(hintOf('xyz after write', ['crash', 'lag'])).toContain('the faults are crash, lag');
    expect(hintOf('crash Pod')).toContain('add a moment: crash after create Secret default/a');
    expect(hintOf('lag soon after write')).toContain('"soon" is not an option of lag; write name=value');
    expect(hintOf('lag x={ after write')).toContain('the value of "x={" cannot be read');
    expect(hintOf('crash after Secret default/a')).toContain('write a verb, as in create Secret default/a');
    expect(hintOf('crash after create of Secret')).toContain('"of Secret" is not an object; write its kind and name');
    expect(hintOf('crash after write #0')).toContain('occurrences are counted from 1');
    expect(hintOf('crash after step 0')).toContain('steps are counted from 1');
    expect(hintOf('crash at midnight')).toContain('"at midnight" is not a moment of a run; write one of: at start;');
  });
});
