import { describe, expect, test } from '@jest/globals';
import { indexBy, type KubeObject } from 'kindwright';
import { FakeClock } from '../../src/base/fake-clock.js';
import { Informer } from '../../src/cache/informer.js';
import { Lister } from '../../src/cache/lister.js';
import { Store } from '../../src/cache/store.js';
import { mapOf, widget, Widget } from './objects.js';
import { refusal, ScriptedClient } from './scripted-client.js';

const team = (name: string, value: string): KubeObject => widget(name, 1, { labels: { team: value, app: 'x' } });

/** An index that counts the calls of its function. */
function countingIndex(change: (value: string) => string = (value) => value) {
  const calls: string[] = [];
  const index = indexBy(Widget, {
    reads: ['metadata.labels'],
    values: ({ metadata }) => {
      calls.push(metadata.name);
      return [change(metadata.labels?.['team'] ?? '')];
    },
  });
  return { index, calls };
}

describe("a user's index", () => {
  test('the smallest index is read, whichever option it belongs to', () => {
    const store = new Store();
    store.replace(mapOf(...Array.from({ length: 20 }, (_, i) => team(`w${i}`, i === 7 ? 'rare' : 'common'))));
    const { index, calls } = countingIndex();
    const lister = new Lister([store], Widget);
    const read = (value: string, labels: Record<string, string>): string[] => {
      calls.length = 0;
      return lister.list({ index: { by: index, value }, labels }).map(({ metadata }) => metadata.name);
    };
    read('common', {}); // builds the index
    expect(read('rare', { app: 'x' })).toEqual(['w7']);
    expect(calls).toEqual(['w7']); // the only candidate is compared with all options
    expect(read('common', { team: 'rare' })).toEqual([]);
    expect(calls).toEqual(['w7']);
  });

  test('a function that fails for an object fails reads of its index until the object is corrected, and nothing else', () => {
    const store = new Store();
    const lister = new Lister([store], Widget);
    const { index } = countingIndex((value) => {
      if (value === 'bad') throw new Error('no team');
      return value;
    });
    const read = () => lister.list({ index: { by: index, value: 'good' } });
    store.replace(mapOf(team('a', 'good')));
    expect(read()).toHaveLength(1);
    store.set('ns/b', team('b', 'bad'));
    expect(read).toThrow(
      expect.objectContaining({ code: 'E_INDEX', message: 'an index of Widget failed for ns/b: no team' }),
    );
    expect(lister.list({ labels: { team: 'bad' } })).toHaveLength(1);
    store.set('ns/b', team('b', 'good'));
    expect(read()).toHaveLength(2);
  });

  test('an index that was added to an informer is built before it has synced, and again when all objects change', async () => {
    const clock = new FakeClock();
    const client = new ScriptedClient();
    const informer = new Informer(client, Widget, { clock });
    const { index, calls } = countingIndex();
    informer.addIndex(index);
    informer.start();
    await clock.advance(0);
    client.last.initial(20, team('a', 'x'), team('b', 'y'));
    await informer.synced();
    expect(calls).toEqual(['a', 'b']);
    client.last.fail(refusal(410, 'Expired'));
    await clock.advance(2000);
    client.last.initial(30, { ...widget('c', 25, { labels: { team: 'x' } }) });
    expect(informer.lister.size).toBe(1);
    expect(calls).toEqual(['a', 'b', 'c']);
    expect(informer.lister.list({ index: { by: index, value: 'x' } })).toHaveLength(1);
  });

  test('reads of a large cache wait until their index was built in several turns of the event loop', async () => {
    const store = new Store();
    store.replace(mapOf(...Array.from({ length: 10_000 }, (_, i) => team(`w${i}`, `t${i % 10}`))));
    const { index, calls } = countingIndex();
    const lister = new Lister([store], Widget);
    const built: number[] = [];
    const turn = (): void => {
      built.push(calls.length);
      if (calls.length < 10_000) setImmediate(turn);
    };
    const preparing = lister.prepare({ index: { by: index, value: 't1' } });
    turn();
    await preparing;
    const steps = [...new Set(built)];
    expect(Math.max(...steps.map((count, i) => count - (steps[i - 1] ?? 0)))).toBeLessThanOrEqual(2500);
    expect(lister.prepare({ index: { by: index, value: 't2' } })).toBeUndefined();
  });
});
