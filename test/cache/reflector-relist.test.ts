import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import type { ListedObjects } from '../../src/cache/listed-objects.js';
import { WatchError } from '../../src/client/watch-error.js';
import { widget } from './objects.js';
import { paged, refused, watching } from './reflector-setup.js';
import { refusal } from './scripted-client.js';

describe('Reflector listing again', () => {
  test('a new list does not replace a stored object that it contains unchanged', async () => {
    const { client, clock, store, versions, after } = await watching();
    const begun = jest.spyOn(versions, 'beginReplace');
    const [a] = store.values();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    client.last.send('ADDED', widget('a', 10));
    client.last.send('ADDED', widget('b', 25));
    const list = begun.mock.results[0]?.value as ListedObjects;
    expect(list.byKey.get('ns/a')).toBe(a);
    await after(() => {
      client.last.bookmark(30, 'true');
    });
    expect([...store.values()].map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(store.get('ns/a')).toBe(a);
  });

  test('a list in pages holds the stored object for an unchanged one before the next page is read', async () => {
    const { client, clock, seen, store, after } = await paged();
    const [a] = store.values();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    const changed = widget('a', 11);
    expect(client.last.page(widget('a', 10), changed)).toEqual([a, changed]);
    expect(client.last.page(widget('a', 10))[0]).toBe(a);
    await after(() => {
      client.last.answer(30, widget('a', 10), widget('b', 25));
    });
    expect(store.get('ns/a')).toBe(a);
    expect(seen).toEqual(['add b@25', 'replaced']);
  });

  test('the objects of a long paged list are stored in several turns of the event loop, with own writes meanwhile', async () => {
    const { client, clock, seen, store, versions } = await paged();
    client.last.fail(refusal(410, 'Expired'));
    await clock.advance(800);
    const listed = Array.from({ length: 20_000 }, (_, index) => widget(`w${index}`, 30));
    client.last.answer(30, widget('a', 10), ...listed);
    let turns = 0;
    while (!seen.includes('replaced')) {
      await nextTurn();
      if (++turns === 2) versions.observe(widget('a', 40));
    }
    expect(turns).toBeGreaterThan(3);
    expect(store.size).toBe(20_001);
    expect(store.get('ns/a')?.metadata.resourceVersion).toBe('40');
  });

  test('a kind is served again when its list in pages is stored, before the watch is opened', async () => {
    const { client, clock, status, after } = await paged();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    await after(() => {
      client.last.fail(refusal(404, 'NotFound', 'the server could not find the requested resource'));
    });
    expect(status.isUnserved).toBe(true);
    await clock.advance(2000);
    await after(() => {
      client.last.answer(30, widget('a', 10));
    });
    expect(client.history.at(-1)).toBe('watch@30');
    expect(status.isUnserved).toBe(false);
  });

  test('pages with an older version are read once more without the stored objects', async () => {
    const { client, clock, seen, store, after } = await paged();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    const restored = { ...widget('a', 10), spec: { size: 7 } } as KubeObject;
    await after(() => {
      client.last.answer(15, restored);
    });
    expect(seen).toEqual([]);
    await after(() => {
      client.last.answer(16, restored);
    });
    expect(store.get('ns/a')).toBe(restored);
    expect(seen).toEqual(['update a@10→10', 'replaced']);
  });

  test('a list with an older version is followed by another one, because objects of equal version may differ', async () => {
    const { client, clock, seen, store, after } = await watching();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    const restored = { ...widget('a', 10), spec: { size: 7 } } as KubeObject;
    await after(() => {
      client.last.initial(15, restored);
    });
    await clock.advance(0);
    expect(seen).toEqual([]);
    await after(() => {
      client.last.initial(16, restored);
    });
    expect(client.history).toEqual(['stream', 'stream', 'stream']);
    expect(store.get('ns/a')).toMatchObject({ spec: { size: 7 } });
    expect(seen).toEqual(['update a@10→10', 'replaced']);
  });

  test.each<[string, (all: Awaited<ReturnType<typeof watching>>) => void]>([
    ['after missed events', ({ reflector }) => reflector.relist()],
    [
      'after a watch that ended early and one that expired',
      ({ client }) => {
        client.last.fail(new WatchError('the connection was closed', 'closed'));
      },
    ],
  ])('a list %s shows other content of the same version, and keeps stored objects', async (_, interrupt) => {
    const all = await watching();
    const { client, clock, seen, store, after } = all;
    client.last.send('ADDED', widget('b', 25));
    const b = store.get('ns/b');
    seen.length = 0;
    await after(() => {
      interrupt(all);
    });
    await clock.advance(2000);
    if (client.last.request.sendInitialEvents !== true) {
      await after(() => {
        client.last.fail(refusal(410, 'Expired'));
      });
      await clock.advance(2000);
    }
    await after(() => {
      client.last.initial(30, { ...widget('a', 10), spec: { size: 7 } } as KubeObject, widget('b', 25));
    });
    expect(seen).toEqual(['update a@10→10', 'replaced']);
    expect(store.get('ns/a')).toMatchObject({ spec: { size: 7 } });
    expect(store.get('ns/b')).toBe(b);
  });

  test('a relist that is requested between two watches replaces the next one by a list', async () => {
    const { client, clock, reflector, after } = await watching();
    await after(() => {
      client.last.fail(refused);
    });
    reflector.relist();
    await clock.advance(2000);
    expect(client.history).toEqual(['stream', 'stream']);
    await after(() => {
      client.last.initial(30, widget('a', 10));
    });
    client.last.fail(refused);
    await clock.advance(4000);
    expect(client.history).toEqual(['stream', 'stream', 'watch@30']);
  });
});
