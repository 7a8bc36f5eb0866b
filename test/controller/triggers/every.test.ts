import { beforeEach, expect, test } from '@jest/globals';
import { CustomResource, Every, Field, Kind, TerminalError } from 'kindwright';
import { createMetrics } from '../../../src/base/metrics.js';
import { TriggeredController } from './triggered-controller.js';

class ProbeSpec {
  @Field() url!: string;
}

const calls: string[] = [];
let onCheck: () => void = () => undefined;

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Every('1h')
class Site extends CustomResource {
  @Field() spec!: ProbeSpec;

  @Every('10s')
  check(): void {
    calls.push(`check ${this.metadata.name}`);
    onCheck();
  }

  @Every('0 3 * * *')
  backUp(): void {
    calls.push(`back up ${this.metadata.name}`);
  }

  reconcile(): void {
    calls.push(`reconcile ${this.metadata.name}`);
  }
}

const site = (name: string, resourceVersion: number, metadata: object = {}) => ({
  apiVersion: 'test.kindwright.dev/v1',
  kind: 'Site',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(resourceVersion), ...metadata },
  spec: { url: 'http://x' },
});

beforeEach(() => {
  calls.length = 0;
  onCheck = () => undefined;
});

test('a method with an interval is called with the first reconcile and at the interval, always before reconcile', async () => {
  const world = new TriggeredController(Site);
  await world.start(site('a', 1));
  expect(calls).toEqual(['check a', 'reconcile a']);
  await world.clock.advance(30_000);
  expect(calls).toEqual(Array.from({ length: 4 }, () => ['check a', 'reconcile a']).flat());
  expect(world.causes.at(-1)).toBe('@Every(10s) check');
  await world.stop();
});

test('a method with a cron schedule is called at its times only', async () => {
  const world = new TriggeredController(Site);
  await world.start(site('a', 1));
  await world.clock.advance(24 * 3_600_000);
  expect(calls.filter((call) => call.startsWith('back up'))).toEqual(['back up a']);
  expect(world.causes.filter((cause) => cause.includes('@Every(1h)'))).toHaveLength(24);
  await world.stop();
});

test('a change of the object reconciles it without the methods that are not due', async () => {
  const world = new TriggeredController(Site);
  await world.start(site('a', 1));
  world.server.last.send('MODIFIED', site('a', 11, { labels: { x: 'y' } }));
  await world.clock.advance(0);
  expect(calls).toEqual(['check a', 'reconcile a', 'reconcile a']);
  await world.stop();
});

test('a method that throws is called again with the retry', async () => {
  let failures = 2;
  onCheck = () => {
    if (failures-- > 0) throw new Error('no route');
  };
  const world = new TriggeredController(Site);
  await world.start(site('a', 1));
  await world.clock.advance(100);
  expect(calls).toEqual(['check a', 'check a', 'check a', 'reconcile a']);
  await world.stop();
});

test('a method that throws a TerminalError is called again at its next time only', async () => {
  onCheck = () => {
    throw new TerminalError('never');
  };
  const world = new TriggeredController(Site);
  await world.start(site('a', 1));
  await world.clock.advance(20_000);
  expect(calls).toEqual(['check a', 'check a', 'check a']);
  await world.stop();
});

test.each([
  ['deleted', 'DELETED', {}],
  ['being deleted', 'MODIFIED', { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/other'] }],
] as const)('timers of an object that is %s stop', async (_, type, metadata) => {
  const world = new TriggeredController(Site);
  await world.start(site('a', 1), site('b', 2));
  world.server.last.send(type, site('a', 11, metadata));
  await world.clock.advance(0);
  calls.length = 0;
  await world.clock.advance(10_000);
  expect(calls).toEqual(['check b', 'reconcile b']);
  await world.stop();
});

test('kindwright_timer_events_total counts the times of each timer', async () => {
  const metrics = await createMetrics({ ofProcess: false });
  const world = new TriggeredController(Site, undefined, metrics);
  await world.start(site('a', 1));
  await world.clock.advance(3_600_000);
  const { text } = await metrics.expose();
  expect(text).toContain('kindwright_timer_events_total{controller="site",timer="@Every(10s) check"} 360');
  expect(text).toContain('kindwright_timer_events_total{controller="site",timer="@Every(1h)"} 1');
  await world.stop();
});

test('timers stop with the controller', async () => {
  const world = new TriggeredController(Site);
  await world.start(site('a', 1));
  await world.stop();
  calls.length = 0;
  await world.clock.advance(3_600_000);
  expect(calls).toEqual([]);
});
