import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, type HotLoopReport, type KubeObject, type Run } from 'kindwright';
import { RecordingLogger } from 'kindwright/testing';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { Doctor } from '../../../src/console/doctor/doctor.js';

let clock: FakeClock;
let logger: RecordingLogger;
let doctor: Doctor;
beforeEach(() => {
  clock = new FakeClock();
  logger = new RecordingLogger();
  doctor = new Doctor({ clock, logger, refOf: ({ key }) => ({ kind: 'Gizmo', name: key }), inspect: () => [] });
});

const base = { id: 'r1', controller: 'gizmo', key: 'team/a', causesOmitted: 0, attempt: 1, ops: [], startMs: 0 };
const done = { ms: 1, outcome: 'done' } as const;
const object = (version: string): KubeObject => ({ metadata: { name: 'm', uid: 'u', resourceVersion: version } });

describe('the doctor', () => {
  test('reports a hot loop with its field, and the hint to sort a list that changes only its order', () => {
    const change = { kind: ConfigMap, key: 'team/m', path: ['data', 'nodes'], from: ['a', 'b'], to: ['b', 'a'] };
    const report: HotLoopReport = { run: base, cause: 'own write', message: 'Hot loop', hint: 'write less', change };
    doctor.observer.hotLoop?.(report);
    expect(doctor.findings).toMatchObject([
      { rule: 'own-write', object: { name: 'team/a' }, change: { path: 'data.nodes' }, runs: ['r1'] },
    ]);
    expect(doctor.findings[0]?.hint).toContain('sort them');
  });

  test('reports an error of eight attempts once, and logs it once an hour', () => {
    const fail = (attempt: number): void => {
      const error = new TypeError('no such field');
      doctor.observer.ended?.({ ...base, causes: [], attempt, end: { ms: 1, outcome: 'failed', error } });
    };
    for (let attempt = 1; attempt < 8; attempt++) fail(attempt);
    expect(doctor.findings).toEqual([]);
    for (let attempt = 8; attempt < 20; attempt++) fail(attempt);
    expect(doctor.findings).toMatchObject([{ rule: 'same-error', message: expect.stringContaining('no such field') }]);
    expect(logger.lines).toHaveLength(1);
  });

  test('reports updates of a source that never change anything', () => {
    const event = { type: 'update', old: object('1'), object: object('2') } as const;
    const causes: Run['causes'] = [{ type: 'event', source: '@Watches(Node)', kind: ConfigMap, event }];
    for (let count = 0; count < 250; count++) doctor.observer.ended?.({ ...base, causes, end: done });
    doctor.check();
    expect(doctor.findings).toMatchObject([{ rule: 'idle-wakes', controller: 'gizmo' }]);
    expect(doctor.findings[0]?.message).toContain('@Watches(Node): 250 of 250 runs changed nothing');
  });

  test('finds nothing in runs for other reasons', () => {
    for (let count = 0; count < 500; count++)
      doctor.observer.ended?.({ ...base, causes: [{ type: 'timer', delayMs: 10_000 }], end: done });
    doctor.check();
    expect(doctor.findings).toEqual([]);
  });

  test('forgets what it has not seen for half an hour', async () => {
    doctor.observer.hotLoop?.({ run: base, cause: 'timer', message: 'Hot loop', hint: 'wait' });
    await clock.advance(31 * 60_000);
    doctor.check();
    expect(doctor.findings).toEqual([]);
  });
});
