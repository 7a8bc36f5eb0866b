import { beforeEach, expect, test } from '@jest/globals';
import { ConfigMap, type Context, CustomResource, Daemon, type DaemonTask, Field, Kind, Owns } from 'kindwright';
import { createMetrics } from '../../../src/base/metrics.js';
import { refusal } from '../../cache/scripted-client.js';
import { TriggeredController } from './triggered-controller.js';

class Spec {
  @Field() value!: string;
}

const calls: string[] = [];
/** Tasks that run now, by object. */
const running = new Map<string, number>();
let most = 0;
let body: (task: DaemonTask, ctx: Context) => Promise<void>;

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Stream extends CustomResource {
  @Field() spec!: Spec;

  @Daemon()
  async follow(ctx: Context, task: DaemonTask): Promise<void> {
    const { name } = this.metadata;
    calls.push(`start ${name} ${this.spec.value}`);
    running.set(name, (running.get(name) ?? 0) + 1);
    most = Math.max(most, running.get(name) ?? 0);
    try {
      await body(task, ctx);
    } finally {
      running.set(name, (running.get(name) ?? 0) - 1);
      calls.push(`end ${name}`);
    }
  }

  reconcile(): void {
    calls.push(`reconcile ${this.metadata.name}`);
  }
}

@Kind({ group: 'test.kindwright.dev', version: 'v1', kind: 'Stream' })
@Owns(ConfigMap)
class StreamOfConfig extends Stream {}

const stream = (name: string, resourceVersion: number, value = 'x', metadata: object = {}) => ({
  apiVersion: 'test.kindwright.dev/v1',
  kind: 'Stream',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(resourceVersion), ...metadata },
  spec: { value },
});

const untilAborted = async ({ signal }: DaemonTask): Promise<void> => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
};

beforeEach(() => {
  calls.length = 0;
  running.clear();
  most = 0;
  body = untilAborted;
});

test('a task starts for each object, and ends when the object is deleted', async () => {
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1), stream('b', 2));
  expect(calls.filter((call) => call.startsWith('start'))).toEqual(['start a x', 'start b x']);
  world.server.last.send('DELETED', stream('a', 11));
  await world.clock.advance(0);
  expect(running).toEqual(new Map([['a', 0], ['b', 1]])); // prettier-ignore
  await world.stop();
  expect(running.get('b')).toBe(0);
});

test('kindwright_daemons_running is the number of tasks that run now', async () => {
  const metrics = await createMetrics({ ofProcess: false });
  const world = new TriggeredController(Stream, undefined, metrics);
  const runningTasks = async () =>
    /^kindwright_daemons_running\{controller="stream",daemon="@Daemon follow"\} (\d+)$/m.exec(
      (await metrics.expose()).text,
    )?.[1];
  await world.start(stream('a', 1), stream('b', 2));
  expect(await runningTasks()).toBe('2');
  world.server.last.send('DELETED', stream('a', 11));
  await world.clock.advance(0);
  expect(await runningTasks()).toBe('1');
  await world.stop();
  expect(await runningTasks()).toBe('0');
});

test('a task ends before the finalizers of its object run', async () => {
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1));
  const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/other'] };
  world.server.last.send('MODIFIED', stream('a', 11, 'x', metadata));
  await world.clock.advance(0);
  expect(running.get('a')).toBe(0);
  await world.stop();
});

test('a task that throws is started again with back-off, and one that returns is not', async () => {
  let failures = 2;
  body = async () => {
    if (failures-- > 0) throw new Error('connection lost');
  };
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1));
  expect(calls.filter((call) => call.startsWith('start'))).toHaveLength(1);
  await world.clock.advance(1300);
  expect(calls.filter((call) => call.startsWith('start'))).toHaveLength(2);
  await world.clock.advance(3_600_000);
  expect(calls.filter((call) => call.startsWith('start'))).toHaveLength(3);
  expect(world.logger.messages('error')).toEqual(Array(2).fill('@Daemon follow failed and is started again'));
  await world.stop();
});

test('a change of the spec starts the task again with the new spec, a change of labels does not', async () => {
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1, 'x', { generation: 1 }));
  world.server.last.send('MODIFIED', stream('a', 11, 'x', { generation: 1, labels: { a: 'b' } }));
  await world.clock.advance(0);
  world.server.last.send('MODIFIED', stream('a', 12, 'y', { generation: 2 }));
  await world.clock.advance(0);
  expect(calls.filter((call) => !call.startsWith('reconcile'))).toEqual(['start a x', 'end a', 'start a y']);
  await world.stop();
});

test('a spec of a lost history of the server with the same generation starts the task again', async () => {
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1, 'x', { generation: 2 }));
  world.server.last.fail(refusal(410, 'Expired'));
  await world.clock.advance(2000);
  for (const _ of ['with stored objects', 'in full']) {
    world.server.last.initial(8, stream('a', 1, 'y', { generation: 2 }));
    await world.clock.advance(0);
  }
  expect(calls.filter((call) => call.startsWith('start'))).toEqual(['start a x', 'start a y']);
  await world.stop();
});

test('without a generation, as in ConfigMaps and Nodes, a change of anything but the status starts the task again', async () => {
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1, 'x'));
  world.server.last.send('MODIFIED', { ...stream('a', 11, 'x'), status: { phase: 'Ready' } } as never);
  await world.clock.advance(0);
  expect(calls.filter((call) => !call.startsWith('reconcile'))).toEqual(['start a x']);
  world.server.last.send('MODIFIED', stream('a', 12, 'y'));
  await world.clock.advance(0);
  world.server.last.send('MODIFIED', stream('a', 13, 'y', { labels: { a: 'b' } }));
  await world.clock.advance(0);
  const starts = ['start a x', 'end a', 'start a y', 'end a', 'start a y'];
  expect(calls.filter((call) => !call.startsWith('reconcile'))).toEqual(starts);
  await world.stop();
});

test('there is never more than one task for an object, even if the old one does not end when it is aborted', async () => {
  let end: () => void = () => undefined;
  body = async () => {
    await new Promise<void>((resolve) => (end = resolve));
  };
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1, 'x', { generation: 1 }));
  world.server.last.send('DELETED', stream('a', 11));
  world.server.last.send('ADDED', stream('a', 12, 'y', { uid: 'uid-2' }));
  world.server.last.send('MODIFIED', stream('a', 13, 'z', { uid: 'uid-2', generation: 2 }));
  await world.clock.advance(10_000);
  expect(calls.filter((call) => call.startsWith('start'))).toEqual(['start a x']);
  expect(world.logger.messages('warn')[0]).toMatch(/does not end after its signal was aborted/);
  end();
  await world.clock.advance(0);
  expect(calls.filter((call) => call.startsWith('start'))).toEqual(['start a x', 'start a z']);
  expect(most).toBe(1);
  end();
  await world.stop();
});

test('a task starts when all caches of its class have synced, and runs once', async () => {
  const world = new TriggeredController(StreamOfConfig);
  const started = await world.begin();
  const [streams, configs] = world.server.calls;
  streams!.initial(10, stream('a', 1));
  await world.clock.advance(0);
  streams!.send('MODIFIED', stream('a', 11, 'y'));
  await world.clock.advance(0);
  expect(calls).toEqual([]);
  configs!.initial(10);
  await started.done;
  await world.clock.advance(0);
  expect(calls.toSorted()).toEqual(['reconcile a', 'start a y']);
  await world.stop();
});

test('a task can reconcile its object, and not after it was aborted', async () => {
  let task: DaemonTask | undefined;
  body = async (given) => {
    task = given;
    await untilAborted(given);
  };
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1));
  calls.length = 0;
  task?.reconcile();
  await world.clock.advance(0);
  expect(calls).toEqual(['reconcile a']);
  expect(world.causes.at(-1)).toBe('@Daemon follow');
  await world.stop();
  task?.reconcile();
  await world.clock.advance(0);
  expect(calls).toEqual(['reconcile a', 'end a']);
});

test('calls of the context are rejected after the task was aborted', async () => {
  const errors: unknown[] = [];
  body = async (task, ctx) => {
    await untilAborted(task);
    await ctx.get(Stream, 'a').catch((error: unknown) => errors.push(error));
  };
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1));
  await world.stop();
  expect(errors).toEqual([new Error('the controller is stopping')]);
});

test('task.sleep waits on the clock of the operator, and is rejected at the stop', async () => {
  const woken: string[] = [];
  body = async (task) => {
    await task.sleep(5000);
    woken.push('woken');
    await task.sleep(5000);
    woken.push('again');
  };
  const world = new TriggeredController(Stream);
  await world.start(stream('a', 1));
  await world.clock.advance(5000);
  await world.stop();
  expect(woken).toEqual(['woken']);
});
