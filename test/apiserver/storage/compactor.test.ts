import { expect, test } from '@jest/globals';
import { Compactor } from '../../../src/apiserver/storage/compactor.js';
import { ObjectStore } from '../../../src/apiserver/storage/object-store.js';
import { FakeClock } from '../../../src/base/fake-clock.js';

const INTERVAL = 300_000;

function written(count: number) {
  const clock = new FakeClock();
  const store = new ObjectStore();
  const compactor = new Compactor(store, clock);
  const write = (times: number): void => {
    for (let i = 0; i < times; i++)
      store.put('c', 'a', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  };
  write(count);
  return { store, clock, compactor, write };
}

test('history is kept for one interval, and for no more than two', async () => {
  const { store, clock } = written(150);
  await clock.advance(INTERVAL);
  expect(store.collection('c').since(1)).toHaveLength(150);
  await clock.advance(INTERVAL);
  expect(() => store.collection('c').since(1)).toThrow('too old resource version: 1 (51)');
});

test('the latest events are kept for watches of resources that seldom change', async () => {
  const { store, clock } = written(100);
  await clock.advance(10 * INTERVAL);
  expect(store.collection('c').since(1)).toHaveLength(100);
});

test('the compactor keeps the events of the current interval', async () => {
  const { store, clock, write } = written(150);
  await clock.advance(INTERVAL);
  write(150);
  await clock.advance(INTERVAL);
  expect(store.collection('c').since(151)).toHaveLength(150);
});

test('no history is dropped after the compactor has stopped', async () => {
  const { store, clock, compactor } = written(150);
  compactor.stop();
  await clock.advance(10 * INTERVAL);
  expect(store.collection('c').since(1)).toHaveLength(150);
});

test('a list before the compacted revision is rejected, also for a resource that seldom changes', async () => {
  const { store, clock, write } = written(100);
  await clock.advance(INTERVAL);
  write(1);
  await clock.advance(INTERVAL);
  expect(store.at('c', 101)).toHaveLength(1);
  expect(() => store.at('c', 100)).toThrow('too old resource version: 100 (101)');
});
