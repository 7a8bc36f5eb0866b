import { describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '../../src/api/kube-object.js';
import { widget } from './objects.js';
import { watching } from './reflector-setup.js';
import { refusal } from './scripted-client.js';

describe('Reflector listing again', () => {
  test('keeps the stored object while a new list contains it unchanged', async () => {
    const { client, clock, store, versions, after } = await watching();
    const reuse = jest.spyOn(versions, 'reuse');
    const [a] = store.values();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    client.last.send('ADDED', widget('a', 10));
    client.last.send('ADDED', widget('b', 25));
    expect(reuse.mock.results[0]?.value).toBe(a);
    await after(() => {
      client.last.bookmark(30, 'true');
    });
    expect([...store.values()].map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(store.get('ns/a')).toBe(a);
  });

  test('lists once more when a list goes back, because objects of equal version may differ', async () => {
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
});
