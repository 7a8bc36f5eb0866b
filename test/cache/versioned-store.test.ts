import { describe, expect, test } from '@jest/globals';
import { Store } from '../../src/cache/store.js';
import { VersionedStore } from '../../src/cache/versioned-store.js';
import { mapOf, widget } from './objects.js';
import { listed, setup } from './versioned-store-setup.js';

describe('VersionedStore following a watch', () => {
  test('adds, updates and deletes as the events say', () => {
    const { versions, seen, has } = listed();
    versions.apply('ADDED', widget('b', 21));
    versions.apply('MODIFIED', widget('a', 22));
    versions.apply('DELETED', widget('b', 23));
    expect(seen).toEqual(['add b@21', 'update a@10→22', 'delete b@23']);
    expect(has()).toEqual(['a@22']);
    expect(versions.resourceVersion).toBe('23');
  });

  test('drops events that were seen before, also those of objects deleted since', () => {
    const { versions, seen, has } = listed();
    versions.apply('ADDED', widget('b', 21));
    versions.apply('DELETED', widget('b', 22));
    seen.length = 0;
    versions.apply('MODIFIED', widget('a', 5));
    versions.apply('ADDED', widget('b', 21));
    versions.apply('DELETED', widget('a', 9));
    expect(seen).toEqual([]);
    expect(has()).toEqual(['a@10']);
    expect(versions.resourceVersion).toBe('22');
  });

  test('takes an object of another uid for a delete and an add', () => {
    const { versions, seen } = listed();
    versions.apply('ADDED', widget('a', 21, { uid: 'another' }));
    expect(seen).toEqual(['delete a@10', 'add a@21']);
  });

  test('takes the delete of an object it does not have for nothing', () => {
    const { versions, seen } = listed();
    versions.apply('DELETED', widget('b', 21));
    expect(seen).toEqual([]);
    expect(versions.resourceVersion).toBe('21');
  });

  test('moves on with a bookmark, never back', () => {
    const { versions } = listed();
    versions.bookmark('30');
    versions.bookmark('25');
    expect(versions.resourceVersion).toBe('30');
  });

  test('follows a server whose versions are not numbers', () => {
    const { versions, seen } = setup();
    versions.beginReplace();
    versions.replace(mapOf(widget('a', 'x1')), 'x1');
    versions.apply('MODIFIED', widget('a', 'x2'));
    versions.apply('MODIFIED', widget('a', 'x2'));
    expect(seen).toEqual(['add a@x1', 'replaced', 'update a@x1→x2']);
    expect(versions.resourceVersion).toBe('x2');
  });
});

describe('VersionedStore taking a list over', () => {
  test('the store adds all objects of the first list and then reports the replacement', () => {
    const { seen, relist } = setup();
    relist(20, widget('a', 10), widget('b', 12));
    expect(seen).toEqual(['add a@10', 'add b@12', 'replaced']);
  });

  test('only events of the first list have isInitial', () => {
    const isInitial: boolean[] = [];
    const versions = new VersionedStore(new Store(), {
      changed: (events) => isInitial.push(...events.map((event) => event.type === 'add' && event.isInitial)),
      replaced: () => undefined,
    });
    versions.replace(mapOf(widget('a', 10)), '20');
    versions.replace(mapOf(widget('a', 10), widget('b', 25)), '30');
    expect(isInitial).toEqual([true, false]);
  });

  test('deletes what vanished, with its last known state, adds and updates the rest, and is silent of the unchanged', () => {
    const { seen, relist } = setup();
    relist(20, widget('gone', 10), widget('same', 11), widget('changed', 12));
    seen.length = 0;
    relist(40, widget('same', 11), widget('changed', 33), widget('new', 34));
    expect(seen).toEqual(['delete gone@10', 'update changed@12→33', 'add new@34', 'replaced']);
  });

  test('takes an object of another uid for a delete and an add', () => {
    const { seen, relist } = listed();
    relist(40, widget('a', 33, { uid: 'another' }));
    expect(seen).toEqual(['delete a@10', 'add a@33', 'replaced']);
  });

  test('shows handlers the new state from the first event on', () => {
    const store = new Store();
    const sizes: number[] = [];
    const versions = new VersionedStore(store, {
      changed: () => sizes.push(store.size),
      replaced: () => undefined,
    });
    versions.replace(mapOf(widget('a', 10), widget('b', 11)), '20');
    expect(sizes).toEqual([2]);
  });

  test('follows a server whose history was set back', () => {
    const { versions, seen, relist, has } = listed();
    versions.apply('MODIFIED', widget('a', 50));
    versions.apply('ADDED', widget('b', 51));
    seen.length = 0;
    relist(30, widget('a', 28));
    expect(seen).toEqual(['delete b@51', 'update a@50→28', 'replaced']);
    expect([has(), versions.resourceVersion]).toEqual([['a@28'], '30']);
  });
});

describe('VersionedStore after its server was set back', () => {
  test('does not take an object of the new history for the one of the same version in the lost one', () => {
    const { versions, seen, relist, store } = listed();
    versions.apply('MODIFIED', widget('a', 25, { labels: { history: 'lost' } }));
    versions.bookmark('50');
    seen.length = 0;
    relist(30, widget('a', 25, { labels: { history: 'new' } }));
    expect(seen).toEqual(['update a@25→25', 'replaced']);
    expect(store.get('ns/a')?.metadata.labels).toEqual({ history: 'new' });
  });
});

describe('VersionedStore observing own writes', () => {
  test('shows a write at once and drops its event', () => {
    const { versions, seen, has } = listed();
    versions.observe(widget('a', 25));
    versions.observe(widget('b', 26));
    expect(has()).toEqual(['a@25', 'b@26']);
    versions.apply('MODIFIED', widget('a', 25));
    versions.apply('ADDED', widget('b', 26));
    expect(seen).toEqual(['update a@10→25', 'add b@26']);
    expect(versions.resourceVersion).toBe('26');
  });

  test('does not move on in the history of the others', () => {
    const { versions, seen } = listed();
    versions.observe(widget('a', 25));
    expect(versions.resourceVersion).toBe('20');
    versions.apply('ADDED', widget('b', 22));
    expect(seen).toEqual(['update a@10→25', 'add b@22']);
  });

  test('drops events of states before the write', () => {
    const { versions, seen, has } = listed();
    versions.observe(widget('a', 25));
    versions.apply('MODIFIED', widget('a', 22));
    expect(seen).toEqual(['update a@10→25']);
    expect(has()).toEqual(['a@25']);
  });

  test('ignores a write whose event has passed, so that what was deleted since does not rise again', () => {
    const { versions, seen, has } = listed();
    versions.apply('ADDED', widget('b', 25));
    versions.apply('DELETED', widget('b', 26));
    versions.observe(widget('b', 25));
    expect(seen).toEqual(['add b@25', 'delete b@26']);
    expect(has()).toEqual(['a@10']);
  });

  test('ignores a write older than one observed', () => {
    const { versions, has } = listed();
    versions.observe(widget('a', 26));
    versions.observe(widget('a', 25));
    expect(has()).toEqual(['a@26']);
  });

  test('ignores writes before the first list', () => {
    const { versions, seen } = setup();
    versions.observe(widget('a', 25));
    expect(seen).toEqual([]);
  });

  test('lets the late delete of an earlier incarnation pass', () => {
    const { versions, seen, has } = listed();
    versions.observe(widget('a', 25, { uid: 'new' }));
    versions.apply('DELETED', widget('a', 24));
    expect(seen).toEqual(['delete a@10', 'add a@25']);
    expect(has()).toEqual(['a@25']);
  });

  test('takes a later delete of what was written', () => {
    const { versions, has } = listed();
    versions.observe(widget('a', 25));
    versions.apply('DELETED', widget('a', 26));
    expect(has()).toEqual([]);
  });

  test('keeps a write observed since the list was asked for over an older answer', () => {
    const { versions, seen, has } = listed();
    versions.beginReplace();
    versions.observe(widget('a', 35));
    versions.observe(widget('b', 36));
    seen.length = 0;
    versions.replace(mapOf(widget('a', 10)), '30');
    expect(seen).toEqual(['replaced']);
    expect(has()).toEqual(['a@35', 'b@36']);
  });

  test('lets the list delete a write that it is newer than', () => {
    const { versions, has } = listed();
    versions.beginReplace();
    versions.observe(widget('b', 35));
    versions.replace(mapOf(widget('a', 10)), '40');
    expect(has()).toEqual(['a@10']);
  });

  test('does not keep a write from a history that was set back', () => {
    const { versions, relist, has } = listed();
    versions.observe(widget('ghost', 35));
    relist(25, widget('a', 10));
    expect(has()).toEqual(['a@10']);
  });

  test('does not keep a write whose event has come over a list that has it no more', () => {
    const { versions, has } = listed();
    versions.beginReplace();
    versions.observe(widget('b', 35));
    versions.apply('ADDED', widget('b', 35));
    versions.replace(mapOf(widget('a', 10)), '30');
    expect(has()).toEqual(['a@10']);
  });
});
