import { expect, test } from '@jest/globals';
import { parseFault } from '../../../src/simulation/plan/fault-text.js';
import type { Actor, History, ObjectRef } from '../../../src/simulation/record/history.js';
import { timelineOf } from '../../../src/simulation/report/timeline.js';

const refOf = (kind: string, name: string): ObjectRef => ({
  ...{ group: '', version: 'v1', kind, plural: `${kind.toLowerCase()}s`, namespace: 'default', name },
});
const operator = (reconcile: number, life = 1): Actor => ({ type: 'operator', name: 'operator-1', life, reconcile });
const objectOf = (size: number) => ({ metadata: { name: 'a', namespace: 'default' }, spec: { size } });
const web = refOf('Web', 'a');
const secret = refOf('Secret', 's');
const alarm = { oracle: 'end state', object: 'Secret default/s', reason: 'missing', message: 'Secret s is missing' };

/** A run of an operator that writes, is killed, reads in its second life, and fails. */
const history: History = {
  plan: {
    ...{ seed: 0, given: [], replicas: 1, nodes: 1, schedule: 'first' },
    workload: [
      { do: 'create', object: { kind: 'Web', ...objectOf(1) } },
      { do: 'patch', object: 'Web default/a', patch: { spec: { size: -1 } } },
    ],
    faults: [parseFault('crash after update Web default/a')],
  },
  commits: [
    {
      ...{ index: 0, at: 5, actor: operator(0), verb: 'update', object: web, uid: 'u', request: 0 },
      ...{ before: objectOf(1), after: objectOf(2) },
    },
    { index: 1, at: 6, actor: { type: 'controller', name: 'gc' }, verb: 'delete', object: secret, uid: 's' },
    { index: 2, at: 6, actor: { type: 'controller', name: 'gc' }, verb: 'delete', object: refOf('Pod', 'p'), uid: 'p' },
  ],
  requests: [
    { index: 0, at: 4, actor: operator(0), verb: 'update', object: web, status: 200, place: 'web.ts:9:1' },
    { index: 1, at: 60, actor: operator(1, 2), verb: 'get', object: secret, status: 500 },
    { index: 2, at: 61, actor: operator(1, 2), verb: 'get', object: secret, status: 404 },
  ],
  reconciles: [
    {
      index: 0,
      at: 3,
      actor: operator(0),
      controller: 'web',
      object: web,
      ...{ reads: [{ listed: 'Pod' }], answers: [] },
      outcome: 'aborted',
    },
    {
      ...{ index: 1, at: 50, actor: operator(1, 2), controller: 'web', object: web, endedAt: 70, outcome: 'done' },
      answers: [],
      reads: [
        { object: secret, place: 'web.ts:7:1' },
        { object: web, uid: 'u' },
      ],
    },
    {
      ...{ index: 2, at: 80, actor: operator(2, 2), controller: 'web', object: web, endedAt: 81, outcome: 'failed' },
      ...{ reads: [], answers: [], error: { name: 'Error', message: 'broken\nmore' } },
    },
  ],
  deliveries: [],
  steps: [
    { at: 0, status: 201 },
    { at: 2, status: 422, message: 'size is negative' },
  ],
  calm: { at: 90, isQuiet: true, objects: [] },
  breakdowns: [],
  fired: [{ fault: parseFault('crash after update Web default/a'), at: 5 }],
  ...{ definedKinds: ['Web'], ownedKinds: [], fieldManagers: [], hash: '' },
};

test('a timeline contains the steps, faults, reads, writes and failures up to the alarm, in their order', () => {
  const lines = timelineOf(history, alarm).map(
    ({ at, mark, actor, text, place = '' }) => `${mark} ${String(at)} ${actor}: ${text} ${place}`,
  );
  expect(lines).toEqual([
    '  0 user: create Web default/a  {size: 1} ',
    '  2 user: patch Web default/a  {spec: {size: -1}} → 422 size is negative ',
    '  3 operator: reconcile Web a: list Pod: does not end ',
    '  5 operator: update Web a  spec.size: 2 web.ts:9:1',
    '✗ 5 fault: crash after update Web default/a ',
    '  6 gc: delete Secret s ',
    '  50 operator: reconcile Web a (life 2): get Secret s → none, get Web a → found: writes nothing web.ts:7:1',
    '  60 operator: get Secret s → 500 ',
    '  80 operator: reconcile Web a (life 2): fails: broken ',
    '! 90 judge: Secret s is missing ',
  ]);
});

test('what follows the alarm is left out', () => {
  const entries = timelineOf(history, { ...alarm, at: 20 });
  expect(entries.map(({ at }) => at)).toEqual([0, 2, 3, 5, 5, 6, 20]);
});

test('the least important lines are left out first, and the marked one is kept', () => {
  const entries = timelineOf(history, alarm, { limit: 5, inevitableAt: 55 });
  expect(entries.map(({ mark, note }) => note ?? mark)).toEqual([
    ...[' ', ' ', '✗', '← from here every schedule fails', '!'],
  ]);
});

test('long texts and texts of several lines are cut to one line', () => {
  const breakdown = { at: 1, actor: operator(0), reason: 'uncaught exception', message: 'x\n'.repeat(200) } as const;
  const entry = timelineOf({ ...history, breakdowns: [breakdown] }, alarm).find(({ at }) => at === 1);
  expect(entry?.text).toMatch(/^uncaught exception: x x .*…$/);
  expect(entry?.text).toHaveLength(90);
});
