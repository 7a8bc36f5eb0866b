import { expect, test } from '@jest/globals';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { partOf } from '../../src/api/selection/part-of.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import { Informer } from '../../src/cache/informer.js';
import type { ListWatcher } from '../../src/cache/list-watcher.js';
import { WatchAudit } from '../../src/cache/watch-audit.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { widget, Widget } from './objects.js';
import { refused } from './reflector-setup.js';
import { refusal, ScriptedClient, type ScriptedCall } from './scripted-client.js';

const INTERVAL_MS = 600_000;
const DELIVERY_MS = 60_000;

/** An informer that has listed `a` and `b`, and is audited. */
async function audited(kind: KindRef = Widget) {
  const clock = new FakeClock();
  const client = new ScriptedClient();
  client.endsProbes = true;
  const logger = new RecordingLogger();
  const informer = new Informer(client, kind, { clock, namespace: 'ns' });
  const missed: number[] = [];
  const end = new AbortController();
  informer.start();
  await clock.advance(0);
  client.last.initial(20, widget('a', 10, { generation: 1 }), widget('b', 11));
  const watch = client.last;
  const kinds: KindRef[] = [];
  const recorded: Pick<ListWatcher, 'list'> = {
    list: (requested, request) => {
      kinds.push(requested);
      return client.list(requested, request);
    },
  };
  const options = { client: recorded, clock, logger, intervalMs: INTERVAL_MS, random: () => 0 };
  const audit = new WatchAudit({ ...options, onMissed: (_informer, objects) => missed.push(objects) });
  const ended = audit.run(informer, end.signal);
  const lists = (): ScriptedCall[] => client.calls.filter(({ verb }) => verb === 'list');
  /** Answers the next list of the audit. */
  const list = async (waitMs: number, ...objects: KubeObject[]): Promise<void> => {
    const before = lists().length;
    // In steps, so that the watch is kept alive by bookmarks.
    for (let waited = 0; waited < waitMs; waited += 20_000) {
      await clock.advance(Math.min(20_000, waitMs - waited));
      if (watch.isOpen) watch.bookmark(20);
    }
    expect(lists()).toHaveLength(before + 1);
    lists()
      .at(-1)
      ?.answer(20, ...objects);
    await clock.advance(0);
  };
  const watches = (): number => client.calls.filter(({ verb, isProbe }) => verb === 'watch' && !isProbe).length;
  const last = (): ScriptedCall => client.lastStream;
  return { clock, kinds, last, logger, missed, list, lists, watch, watches, stop: () => (end.abort(), ended) };
}

test('a watch audit lists metadata in the scope of the cache', async () => {
  const { list, lists, stop } = await audited();
  await list(INTERVAL_MS, widget('a', 10), widget('b', 11));
  expect(lists()[0]?.request).toMatchObject({ namespace: 'ns' });
  await stop();
});

test('a watch audit that finds no difference lists once per interval, and does not touch the watch', async () => {
  const { list, missed, watches, stop } = await audited();
  for (let round = 0; round < 3; round++) await list(INTERVAL_MS, widget('a', 10), widget('b', 11));
  expect(missed).toEqual([]);
  expect(watches()).toBe(1);
  await stop();
});

test.each([
  ['a change', [widget('a', 15), widget('b', 11)], 1],
  ['a new object', [widget('a', 10), widget('b', 11), widget('c', 15)], 1],
  ['deletions', [], 2],
  ['a state that etcd was restored to', [widget('a', 9), widget('b', 11)], 1],
  ['another object with the name and version', [widget('a', 10, { uid: 'another' }), widget('b', 11)], 1],
  ['another generation with the version', [widget('a', 10, { generation: 2 }), widget('b', 11)], 1],
])('a watch that missed %s is counted, logged, and replaced by a list', async (_what, objects, count) => {
  const { clock, list, missed, logger, watch, watches, stop } = await audited();
  await list(INTERVAL_MS, ...objects);
  expect(missed).toEqual([]);
  await list(DELIVERY_MS, ...objects);
  expect(missed).toEqual([count]);
  expect(logger.lines.map(({ message }) => message)).toEqual([
    'The watch has missed events; all objects are listed again',
  ]);
  expect(watch.isOpen).toBe(false);
  await clock.advance(2000);
  expect(watches()).toBe(2);
  await stop();
});

test('a change that the watch delivers after the list of an audit is not missed', async () => {
  const { list, missed, watch, watches, stop } = await audited();
  await list(INTERVAL_MS, widget('a', 21), widget('b', 11));
  watch.send('MODIFIED', widget('a', 21));
  await list(DELIVERY_MS, widget('a', 21), widget('b', 11));
  expect(missed).toEqual([]);
  expect(watches()).toBe(1);
  await stop();
});

test('an object that changes between the lists of an audit is not missed', async () => {
  const { list, missed, stop } = await audited();
  await list(INTERVAL_MS, widget('a', 21), widget('b', 11));
  await list(DELIVERY_MS, widget('a', 22), widget('b', 11));
  expect(missed).toEqual([]);
  await stop();
});

test('a watch audit requests no more than metadata, with the selectors of the cache', async () => {
  const { kinds, list, stop } = await audited(partOf(Widget, { labelSelector: 'app=web' }));
  await list(INTERVAL_MS, widget('a', 10), widget('b', 11));
  expect(kinds[0]?.part).toMatchObject({ labelSelector: 'app=web', isMetadataOnly: true });
  await stop();
});

test('a cache is compared soon after a lost connection, when the watch is connected again', async () => {
  const { clock, list, lists, watch, last, stop } = await audited();
  watch.fail(refused);
  await clock.advance(29_000);
  expect(lists()).toHaveLength(0);
  last().accept();
  await list(1000, widget('a', 10), widget('b', 11));
  await clock.advance(31_000);
  expect(lists()).toHaveLength(1);
  await stop();
});

test.each<[string, (watch: ScriptedCall) => void]>([
  ['the server has ended', (watch) => watch.end()],
  ['was answered with 503', (watch) => watch.fail(refusal(503))],
])('a cache is compared soon after a watch that %s before its time', async (_, interrupt) => {
  const { clock, list, lists, watch, last, stop } = await audited();
  await clock.advance(20_000);
  interrupt(watch);
  await clock.advance(29_000);
  expect(lists()).toHaveLength(0);
  last().accept();
  await list(1000, widget('a', 10), widget('b', 11));
  await stop();
});

test('a cache is compared after each lost connection, also if the error is known, but at most every five minutes', async () => {
  const { clock, last, list, lists, watch, stop } = await audited();
  watch.fail(refused);
  await clock.advance(29_000);
  last().accept();
  await list(1000, widget('a', 10), widget('b', 11));
  last().fail(refused);
  await clock.advance(2000);
  last().accept();
  for (let waited = 0; waited < 280_000; waited += 20_000) {
    await clock.advance(20_000);
    last().bookmark(20);
  }
  expect(lists()).toHaveLength(1);
  await list(18_000, widget('a', 10), widget('b', 11));
  await stop();
});

test('a cache is not compared while the connection is lost', async () => {
  const { clock, last, lists, watch, stop } = await audited();
  watch.fail(refused);
  await clock.advance(2000);
  last().fail(refused);
  await clock.advance(29_000);
  expect(lists()).toHaveLength(0);
  last().accept();
  await clock.advance(31_000);
  expect(lists()).toHaveLength(1);
  await stop();
});

test('a failed list of a watch audit is repeated after the interval', async () => {
  const { clock, list, lists, missed, stop } = await audited();
  await clock.advance(INTERVAL_MS);
  lists()[0]?.fail(new Error('cannot reach the server'));
  await list(INTERVAL_MS, widget('a', 10), widget('b', 11));
  expect(missed).toEqual([]);
  await stop();
});
