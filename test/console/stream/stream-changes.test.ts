import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap } from '../../../src/api/kinds/kinds.js';
import type { ObjectEvent } from '../../../src/api/events/object-event.js';
import type { Run } from '../../../src/api/reconcile/reconcile-observer.js';
import { CachedObjects } from '../../../src/console/cached-objects.js';
import type { RunSource } from '../../../src/console/access/visible-sources.js';
import type { FeedListener, ObjectFeed } from '../../../src/console/recorder/object-feed.js';
import { StreamChanges } from '../../../src/console/stream/stream-changes.js';

let feed: Set<FeedListener>;
let history: Set<(run: Run) => void>;
let changes: StreamChanges;

beforeEach(() => {
  feed = new Set();
  history = new Set();
  changes = new StreamChanges({
    objects: new CachedObjects(() => undefined),
    feed: {
      onEvent: (listener: FeedListener) => {
        feed.add(listener);
        return () => feed.delete(listener);
      },
    } as unknown as ObjectFeed,
    history: {
      onChange: (listener: (run: Run) => void) => {
        history.add(listener);
        return () => history.delete(listener);
      },
    } as unknown as RunSource,
  });
  changes.follow();
});

function change(uid: string, type: 'update' | 'delete' = 'update'): void {
  const object = { metadata: { name: uid, namespace: 'default', uid } };
  const event = { type, object, old: object } as ObjectEvent;
  for (const listener of feed) listener(event, { kind: ConfigMap, cluster: undefined, object });
}
function run(id: string): void {
  for (const listener of history) listener({ id } as Run);
}
const uidsAfter = (seq: number) => [...(changes.after(seq)?.objects.keys() ?? ['unknown'])];

describe('StreamChanges', () => {
  test('returns the last state of what has changed after a place', () => {
    change('a');
    change('b');
    const { last } = changes;
    change('a');
    change('c');
    change('c', 'delete');
    run('r1');
    const missed = changes.after(last);
    expect([...(missed?.objects ?? [])].map(([uid, cached]) => [uid, cached?.object.metadata.uid])).toEqual([
      ['a', 'a'],
      ['c', undefined],
    ]);
    expect([...(missed?.runs.keys() ?? [])]).toEqual(['r1']);
    expect(uidsAfter(changes.last)).toEqual([]);
  });

  test('does not know the changes while nothing was followed, nor a place of another stream', () => {
    change('a');
    const { last } = changes;
    expect(changes.after(last + 1)).toBeUndefined();
    changes.forget();
    expect(feed.size + history.size).toBe(0);
    changes.follow();
    change('b');
    expect(changes.after(last)).toBeUndefined();
    expect(uidsAfter(changes.last - 1)).toEqual(['b']);
  });

  test('forgets the oldest changes, and then what came before them', () => {
    change('first');
    const { last } = changes;
    for (let index = 0; index < 10_000; index++) change(`uid-${String(index)}`);
    expect(uidsAfter(last)).toHaveLength(10_000);
    change('one more');
    expect(changes.after(last)).toBeUndefined();
    expect(uidsAfter(changes.last - 1)).toEqual(['one more']);
  });
});
