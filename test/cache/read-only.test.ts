import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { allReadOnly } from '../../src/cache/read-only.js';
import { widget } from './objects.js';

test('many objects are frozen in several turns of the event loop, few in none', async () => {
  const turnsFor = async (count: number): Promise<number> => {
    const objects = Array.from({ length: count }, (_, index) => widget(`w${index}`, 1, { labels: { app: 'x' } }));
    let turns = 0;
    let isDone = false;
    const freezing = allReadOnly(objects).then((frozen) => {
      isDone = true;
      expect(frozen).toEqual(objects);
      expect(frozen.every((each, index) => each === objects[index] && Object.isFrozen(each.metadata.labels))).toBe(
        true,
      );
    });
    await Promise.resolve();
    for (; !isDone; turns++) await nextTurn();
    await freezing;
    return turns;
  };
  expect(await turnsFor(100)).toBeLessThanOrEqual(1);
  expect(await turnsFor(2000)).toBeGreaterThan(5);
});
