import { describe, expect, test } from '@jest/globals';
import { Store } from '../../src/cache/store.js';
import { VersionedStore } from '../../src/cache/versioned-store.js';
import { describeEvent, widget } from './objects.js';
import { listed, replaceBy, setup } from './versioned-store-setup.js';

describe('VersionedStore following a watch', () => {
  test('a watch event adds, updates or deletes an object of the store', () => {
    const { versions, seen, has } = listed();
    versions.apply('ADDED', widget('b', 21));
    versions.apply('MODIFIED', widget('a', 22));
    versions.apply('DELETED', widget('b', 23));
    expect(seen).toEqual(['add b@21', 'update a@10→22', 'delete b@23']);
    expect(has()).toEqual(['a@22']);
    expect(versions.resourceVersion).toBe('23');
  });

  test('events that were received before are dropped, also those of objects deleted since', () => {
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

  test('an event with another uid is a deletion and an addition', () => {
    const { versions, seen } = listed();
    versions.apply('ADDED', widget('a', 21, { uid: 'another' }));
    expect(seen).toEqual(['delete a@10', 'add a@21']);
  });

  test('the deletion of an object that is not stored is ignored', () => {
    const { versions, seen } = listed();
    versions.apply('DELETED', widget('b', 21));
    expect(seen).toEqual([]);
    expect(versions.resourceVersion).toBe('21');
  });

  test('a bookmark moves the version of the store forward, never back', () => {
    const { versions } = listed();
    versions.bookmark('30');
    versions.bookmark('25');
    expect(versions.resourceVersion).toBe('30');
  });

  test('a store accepts events of a server whose versions are not numbers', () => {
    const { versions, seen } = setup();
    replaceBy(versions, [widget('a', 'x1')], 'x1');
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
    replaceBy(versions, [widget('a', 10)], '20');
    replaceBy(versions, [widget('a', 10), widget('b', 25)], '30');
    expect(isInitial).toEqual([true, false]);
  });

  test('a list deletes missing objects with their last known state, adds and updates others, and reports no unchanged ones', () => {
    const { seen, relist } = setup();
    relist(20, widget('gone', 10), widget('same', 11), widget('changed', 12));
    seen.length = 0;
    relist(40, widget('same', 11), widget('changed', 33), widget('new', 34));
    expect(seen).toEqual(['delete gone@10', 'update changed@12→33', 'add new@34', 'replaced']);
  });

  test('an object of a list with another uid is a deletion and an addition', () => {
    const { seen, relist } = listed();
    relist(40, widget('a', 33, { uid: 'another' }));
    expect(seen).toEqual(['delete a@10', 'add a@33', 'replaced']);
  });

  test('handlers read the state of the whole list from its first event on', () => {
    const store = new Store();
    const sizes: number[] = [];
    const versions = new VersionedStore(store, {
      changed: () => sizes.push(store.size),
      replaced: () => undefined,
    });
    replaceBy(versions, [widget('a', 10), widget('b', 11)], '20');
    expect(sizes).toEqual([2]);
  });

  test('a store accepts the list of a server whose history was set back', () => {
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
  test('a list in full reports only objects with another content, as corrections', () => {
    const store = new Store();
    const corrected: (string | undefined)[] = [];
    const versions = new VersionedStore(store, {
      changed: (events) =>
        corrected.push(
          ...events.map((event) => (event.type === 'update' && event.isCorrection ? describeEvent(event) : undefined)),
        ),
      replaced: () => undefined,
    });
    replaceBy(versions, [widget('same', 10), widget('changed', 11), widget('older', 12)], '20');
    const same = store.get('ns/same');
    corrected.length = 0;
    const labels = { history: 'new' };
    replaceBy(versions, [widget('same', 10), widget('changed', 11, { labels }), widget('older', 9)], '30', true);
    expect(corrected).toEqual(['update changed@11→11', 'update older@12→9']);
    expect(store.get('ns/same')).toBe(same);
    expect(store.get('ns/changed')?.metadata.labels).toEqual(labels);
  });

  test('after the server was set back, an object is not confused with the one of equal version in the lost history', () => {
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
  test('an own write is stored immediately, and its event is dropped', () => {
    const { versions, seen, has } = listed();
    versions.observe(widget('a', 25));
    versions.observe(widget('b', 26));
    expect(has()).toEqual(['a@25', 'b@26']);
    versions.apply('MODIFIED', widget('a', 25));
    versions.apply('ADDED', widget('b', 26));
    expect(seen).toEqual(['update a@10→25', 'add b@26']);
    expect(versions.resourceVersion).toBe('26');
  });

  test('an own write does not move the version of the store forward', () => {
    const { versions, seen } = listed();
    versions.observe(widget('a', 25));
    expect(versions.resourceVersion).toBe('20');
    versions.apply('ADDED', widget('b', 22));
    expect(seen).toEqual(['update a@10→25', 'add b@22']);
  });

  test('events of states before an own write are dropped', () => {
    const { versions, seen, has } = listed();
    versions.observe(widget('a', 25));
    versions.apply('MODIFIED', widget('a', 22));
    expect(seen).toEqual(['update a@10→25']);
    expect(has()).toEqual(['a@25']);
  });

  test('an own write with an event that was already received is ignored, so that a deleted object does not return', () => {
    const { versions, seen, has } = listed();
    versions.apply('ADDED', widget('b', 25));
    versions.apply('DELETED', widget('b', 26));
    versions.observe(widget('b', 25));
    expect(seen).toEqual(['add b@25', 'delete b@26']);
    expect(has()).toEqual(['a@10']);
  });

  test('an own write that is older than a stored one is ignored', () => {
    const { versions, has } = listed();
    versions.observe(widget('a', 26));
    versions.observe(widget('a', 25));
    expect(has()).toEqual(['a@26']);
  });

  test('own writes before the first list are ignored', () => {
    const { versions, seen } = setup();
    versions.observe(widget('a', 25));
    expect(seen).toEqual([]);
  });

  test('the late deletion of an earlier incarnation does not delete an own write', () => {
    const { versions, seen, has } = listed();
    versions.observe(widget('a', 25, { uid: 'new' }));
    versions.apply('DELETED', widget('a', 24));
    expect(seen).toEqual(['delete a@10', 'add a@25']);
    expect(has()).toEqual(['a@25']);
  });

  test('a later deletion deletes the object of an own write', () => {
    const { versions, has } = listed();
    versions.observe(widget('a', 25));
    versions.apply('DELETED', widget('a', 26));
    expect(has()).toEqual([]);
  });

  test('an own write that was observed after the list was requested is kept if the list is older', () => {
    const { versions, seen, has } = listed();
    const list = versions.beginReplace();
    versions.observe(widget('a', 35));
    list.add(widget('a', 10));
    versions.observe(widget('b', 36));
    seen.length = 0;
    versions.replace(list, '30');
    expect(seen).toEqual(['replaced']);
    expect(has()).toEqual(['a@35', 'b@36']);
  });

  test('a list deletes an own write that is older than the list', () => {
    const { versions, has } = listed();
    const list = versions.beginReplace();
    versions.observe(widget('b', 35));
    list.add(widget('a', 10));
    versions.replace(list, '40');
    expect(has()).toEqual(['a@10']);
  });

  test('an own write from a history that was set back is not kept over a list', () => {
    const { versions, relist, has } = listed();
    versions.observe(widget('ghost', 35));
    relist(25, widget('a', 10));
    expect(has()).toEqual(['a@10']);
  });

  test('a list without an object deletes an own write with an event that was already received', () => {
    const { versions, has } = listed();
    const list = versions.beginReplace();
    list.add(widget('a', 10));
    versions.observe(widget('b', 35));
    versions.apply('ADDED', widget('b', 35));
    versions.replace(list, '30');
    expect(has()).toEqual(['a@10']);
  });
});
