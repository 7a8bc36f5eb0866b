import { expect, test } from '@jest/globals';
import type { ApiObject } from '../../../src/apiserver/objects/api-object.js';
import { EventExpiry } from '../../../src/apiserver/storage/event-expiry.js';
import { ObjectStore, type ObjectStoreOptions } from '../../../src/apiserver/storage/object-store.js';
import { silentLogger } from '../../../src/base/logger.js';
import { FakeClock } from '../../../src/base/fake-clock.js';

const MINUTE = 60_000;
const event = (name: string): ApiObject => ({ apiVersion: 'v1', kind: 'Event', metadata: { name } });
const names = (store: ObjectStore): string[] => [...store.collection('events').range('')].map(({ key }) => key);

function expiring(options: ObjectStoreOptions = {}, present: readonly string[] = []) {
  const store = new ObjectStore(options);
  for (const name of present) store.restore('events', name, event(name), 7);
  const clock = new FakeClock();
  return { store, clock, expiry: new EventExpiry(store, clock, silentLogger) };
}

test('an Event is deleted an hour after its last write', async () => {
  const { store, clock } = expiring();
  store.put('events', 'once', event('once'));
  store.put('events', 'again', event('again'));
  await clock.advance(30 * MINUTE);
  store.put('events', 'again', event('again'));
  await clock.advance(31 * MINUTE);
  expect(names(store)).toEqual(['again']);
  await clock.advance(30 * MINUTE);
  expect(names(store)).toEqual([]);
});

test('watchers receive the deletion of an expired Event', async () => {
  const { store, clock } = expiring();
  const { revision } = store.put('events', 'e', event('e'));
  await clock.advance(61 * MINUTE);
  expect(
    store
      .collection('events')
      .since(revision)
      .map(({ type }) => type),
  ).toEqual(['DELETED']);
});

test('an Event from before a restart is kept for another hour', async () => {
  const { store, clock } = expiring({}, ['old']);
  await clock.advance(59 * MINUTE);
  expect(names(store)).toEqual(['old']);
  await clock.advance(2 * MINUTE);
  expect(names(store)).toEqual([]);
});

test('the deletion of an expired Event is repeated after a minute', async () => {
  let isFull = false;
  const { store, clock } = expiring({
    journal: () => {
      if (isFull) throw new Error('disk full');
    },
  });
  store.put('events', 'e', event('e'));
  isFull = true;
  await clock.advance(61 * MINUTE);
  expect(names(store)).toEqual(['e']);
  isFull = false;
  await clock.advance(MINUTE);
  expect(names(store)).toEqual([]);
});

test('no Event is deleted after the expiry has stopped', async () => {
  const { store, clock, expiry } = expiring();
  store.put('events', 'e', event('e'));
  expiry.stop();
  await clock.advance(61 * MINUTE);
  expect(names(store)).toEqual(['e']);
});
