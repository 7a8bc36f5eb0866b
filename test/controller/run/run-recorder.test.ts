import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ConfigMap,
  Deployment,
  joinObservers,
  Secret,
  type KubeObject,
  type Op,
  type ReconcileObserver,
  type Run,
} from 'kindwright';
import { LiveContext } from '../../../src/controller/context/live-context.js';
import { OwnWrites } from '../../../src/controller/run/own-writes.js';
import type { ReconcileRequest } from '../../../src/controller/run/reconcile-request.js';
import type { ReconcileRun } from '../../../src/controller/run/reconcile-run.js';
import { RunRecorder } from '../../../src/controller/run/run-recorder.js';
import { Workers } from '../../../src/controller/workers.js';
import type { Outcome } from '../../../src/controller/run/outcome.js';
import { NO_CAUSES } from '../../../src/queue/pending-causes.js';
import { RateLimitingQueue } from '../../../src/queue/rate-limiting-queue.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { ControllerParts, gizmo } from '../gizmo.js';

const map: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'team', uid: 'um', resourceVersion: '2' },
  data: { a: '1' },
};
const update = (object: KubeObject) =>
  ({
    type: 'event',
    source: '@Owns(ConfigMap)',
    kind: ConfigMap,
    event: { type: 'update', old: map, object },
  }) as const;

let parts: ControllerParts;
let ownWrites: OwnWrites;
beforeEach(async () => {
  parts = await ControllerParts.with([ConfigMap, map]);
  ownWrites = new OwnWrites();
});
afterEach(() => parts.stop());

function recorder(observer: ReconcileObserver = {}): RunRecorder {
  return new RunRecorder({
    controller: 'gizmo',
    kind: 'Gizmo',
    observer,
    ownWrites,
    clock: parts.clock,
    logger: parts.logger,
  });
}

test('the writes of a run are described only for a log that shows them', () => {
  let reads = 0;
  const run = recorder().begin('team/a', 1, NO_CAUSES);
  run.ops.push({
    do: 'update',
    kind: ConfigMap,
    key: 'team/m',
    before: map,
    get after() {
      reads += 1;
      return { ...map, metadata: { ...map.metadata, resourceVersion: '3' } };
    },
    startMs: 0,
    ms: 1,
  });
  const linesOf = (isEnabled: boolean) => {
    const logger = Object.assign(new RecordingLogger(), { isEnabled: () => isEnabled });
    const options = { controller: 'gizmo', kind: 'Gizmo', ownWrites, clock: parts.clock, logger };
    new RunRecorder(options).end(run, { outcome: 'done' });
    return logger.messages();
  };
  expect([linesOf(false), reads]).toEqual([[], 0]);
  expect(linesOf(true)).toEqual(['Gizmo team/a: updated ConfigMap m']);
});

describe('the operations of a run', () => {
  let run: ReconcileRun;
  let ctx: LiveContext;
  beforeEach(() => {
    run = recorder().begin('team/a', 1, NO_CAUSES);
    ctx = new LiveContext(parts.services, parts.request('team/a', run), gizmo('a'));
  });
  const ops = () => run.ops.map(({ startMs: _, ms: __, ...op }: Op) => op);

  test('a recorded run has the reads from the cache with their results', async () => {
    await ctx.get(ConfigMap, 'm');
    await ctx.get(ConfigMap, 'absent');
    await ctx.list(ConfigMap);
    expect(ops()).toEqual([
      { do: 'get', kind: ConfigMap, key: 'team/m', from: 'cache', found: map },
      { do: 'get', kind: ConfigMap, key: 'team/absent', from: 'cache' },
      { do: 'list', kind: ConfigMap, namespace: 'team', from: 'cache', found: [map] },
    ]);
  });

  test('a recorded run has the reads from the server', async () => {
    await ctx.list(Secret);
    expect(ops()).toEqual([{ do: 'list', kind: Secret, namespace: 'team', from: 'server', found: [] }]);
  });

  test('a recorded run has each write with the object before and after', async () => {
    const after = { ...map, metadata: { ...map.metadata, resourceVersion: '10' }, data: { a: '2' } };
    parts.answer = () => after;
    await ctx.patch(ConfigMap, 'm', { data: { a: '2' } });
    expect(ops()).toEqual([{ do: 'patch', kind: ConfigMap, key: 'team/m', before: map, after }]);
    expect(ownWrites.runOf(update(after))).toMatchObject({ id: run.id, key: 'team/a', controller: 'gizmo' });
  });

  test('a recorded write has the cached object as the state before the next one', async () => {
    parts.answer = () => ({ ...map, metadata: { ...map.metadata, resourceVersion: '10' }, data: { a: '2' } });
    await ctx.patch(ConfigMap, 'm', { data: { a: '2' } });
    await ctx.patch(ConfigMap, 'm', { data: { a: '2' } });
    expect(run.ops[1]).toMatchObject({ before: { data: { a: '2' }, metadata: { resourceVersion: '10' } } });
  });

  test('a recorded run distinguishes writes of the status, deletions and events', async () => {
    parts.answer = () => map;
    await ctx.patch(ConfigMap, 'm', { status: {} }, { subresource: 'status' });
    await ctx.delete(ConfigMap, map);
    ctx.event('Normal', 'Done', 'all done');
    expect(ops()).toMatchObject([
      { do: 'status', key: 'team/m' },
      { do: 'delete', key: 'team/m', before: map },
      { do: 'event', type: 'Normal', reason: 'Done', message: 'all done' },
    ]);
    expect(ownWrites.runOf({ ...update(map), event: { type: 'delete', object: map } })?.id).toBe(run.id);
  });

  test('a write without changes is recorded as skipped', async () => {
    const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'team' } };
    parts.answer = () => ({ ...applied, metadata: { ...applied.metadata, uid: 'ud', resourceVersion: '10' } });
    await ctx.apply(Deployment, { metadata: { name: 'web' } });
    await ctx.apply(Deployment, { metadata: { name: 'web' } });
    await ctx.update(ConfigMap, map, () => undefined);
    expect(ops()).toMatchObject([
      { do: 'apply', key: 'team/web' },
      { do: 'apply', key: 'team/web', isSkipped: true },
      { do: 'update', key: 'team/m', isSkipped: true },
    ]);
    expect(run.ops[0]).not.toHaveProperty('isSkipped');
  });

  test('a recorded run has the errors of failed calls, and those that are running', async () => {
    parts.answer = () => {
      throw new Error('refused');
    };
    const patching = ctx.patch(ConfigMap, 'm', {});
    expect(run.ops).toHaveLength(1);
    expect(run.ops[0]?.ms).toBeUndefined();
    await expect(patching).rejects.toThrow('refused');
    expect(run.ops[0]).toMatchObject({ do: 'patch', ms: 0, error: { message: 'refused' } });
  });
});

describe('an observer', () => {
  function start(outcomeOf: (request: ReconcileRequest) => Outcome, observer: Parameters<typeof recorder>[0]) {
    const { clock, logger } = parts;
    const queue = new RateLimitingQueue({ name: 'gizmo', clock });
    const reconcile = async (request: ReconcileRequest) => outcomeOf(request);
    new Workers({ queue, clock, logger, reconcile, maxConcurrentReconciles: 1, recorder: recorder(observer) }).start();
    return queue;
  }

  const NOT_CALLING: readonly (readonly [string, NonNullable<ReconcileObserver['within']>])[] = [
    ['does not call the reconcile', () => undefined],
    [
      'throws before it',
      () => {
        throw new Error('trap');
      },
    ],
    [
      'calls it twice',
      (_, reconcile) => {
        reconcile();
        reconcile();
      },
    ],
    [
      'throws after it',
      (_, reconcile) => {
        reconcile();
        throw new Error('trap');
      },
    ],
  ];
  test.each(NOT_CALLING)('an object is reconciled once by an observer whose method within %s', async (_, within) => {
    const reconciled: string[] = [];
    const outcomeOf = ({ key }: ReconcileRequest): Outcome => {
      reconciled.push(key);
      return { type: 'done' };
    };
    start(outcomeOf, { within }).add('team/a');
    await parts.clock.advance(1000);
    expect(reconciled).toEqual(['team/a']);
  });

  test('joined observers are nested in their order around the reconcile', async () => {
    const calls: string[] = [];
    const around = (name: string): ReconcileObserver => ({
      began: () => calls.push(`${name} began`),
      within: (_, reconcile) => {
        calls.push(`${name} enters`);
        reconcile();
        calls.push(`${name} leaves`);
      },
    });
    const outcomeOf = (): Outcome => {
      calls.push('reconcile');
      return { type: 'done' };
    };
    start(outcomeOf, joinObservers(around('a'), { ended: () => calls.push('ended') }, around('b'))).add('team/a');
    await parts.clock.advance(1000);
    const order = ['a began', 'b began', 'a enters', 'b enters', 'reconcile', 'b leaves', 'a leaves', 'ended'];
    expect(calls).toEqual(order);
  });

  test('an observer is called at the beginning and the end of each run, with causes, attempt and outcome', async () => {
    const began: [number, unknown][] = [];
    const ended: Run[] = [];
    const outcomes: Outcome[] = [
      { type: 'failed', error: new Error('no luck') },
      { type: 'requeueAfter', delayMs: 100 },
      { type: 'requeue', reason: 'conflict', why: 'changed' },
      { type: 'done' },
    ];
    const queue = start(() => outcomes.shift() ?? { type: 'done' }, {
      began: (run) => began.push([run.attempt, run.end]),
      ended: (run) => ended.push(run),
    });
    queue.add('team/a', { cause: update(map) });
    await parts.clock.advance(1000);
    expect(began).toEqual([
      [1, undefined],
      [2, undefined],
      [1, undefined],
      [2, undefined],
    ]);
    expect(ended.map(({ controller, key, causes }) => ({ controller, key, causes }))).toEqual(
      [
        update(map),
        { type: 'retry', reason: 'error', delayMs: 5, attempt: 2 },
        { type: 'timer', delayMs: 100 },
        { type: 'retry', reason: 'conflict', delayMs: 5, attempt: 2 },
      ].map((cause) => ({ controller: 'gizmo', key: 'team/a', causes: [cause] })),
    );
    expect(ended.map(({ end }) => end)).toMatchObject([
      { outcome: 'failed', error: { message: 'no luck' }, nextMs: 5 },
      { outcome: 'requeueAfter', nextMs: 100 },
      { outcome: 'requeue', nextMs: 5 },
      { outcome: 'done', ms: 0 },
    ]);
  });

  test('an observer gets the run that caused an event, also when the watch was faster than the response', async () => {
    const after = { ...map, metadata: { ...map.metadata, resourceVersion: '10' } };
    const ended: Run[] = [];
    const writes = ['m'];
    const queue = start(
      (request) => {
        if (writes.pop()) {
          queue.add('team/a', { cause: update(after) }); // the watch reports the write while the run still waits for its answer
          request.run?.wrote(after);
        }
        return { type: 'done' };
      },
      { ended: (run) => ended.push(run) },
    );
    queue.add('team/a');
    await parts.clock.advance(0);
    expect(ended[1]?.causes).toMatchObject([{ type: 'event', byRun: { id: ended[0]?.id, key: 'team/a' } }]);
  });

  test('an observer that throws is logged and stops nothing', async () => {
    const broken = () => {
      throw new Error('broken observer');
    };
    const keys: string[] = [];
    const queue = start(
      ({ key }) => {
        keys.push(key);
        return { type: 'done' };
      },
      { began: broken, ended: broken },
    );
    for (const key of ['a', 'b']) queue.add(key);
    await parts.clock.advance(0);
    expect(keys).toEqual(['a', 'b']);
    expect(parts.logger.messages('error')).toContain('ReconcileObserver.began threw an error');
  });

  test('log lines of a reconcile have the id of the run', async () => {
    const ids: string[] = [];
    const queue = start(
      (request) => {
        request.log.info('hello');
        return { type: 'done' };
      },
      { ended: ({ id }) => ids.push(id) },
    );
    queue.add('a');
    await parts.clock.advance(0);
    expect(parts.logger.lines).toMatchObject([{ message: 'hello', fields: { reconcileID: ids[0] } }]);
  });
});

test('joinObservers calls each observer, in order', () => {
  const calls: string[] = [];
  const observer = (name: string) => ({ began: () => calls.push(`${name} began`), ended: () => calls.push(name) });
  const only = observer('a');
  expect(joinObservers(undefined)).toBeUndefined();
  expect(joinObservers(undefined, only)).toBe(only);
  const joined = joinObservers(only, undefined, observer('b'));
  joined?.began?.({} as Run);
  joined?.ended?.({} as Run);
  expect(calls).toEqual(['a began', 'b began', 'a', 'b']);
});
