import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { allReadOnly } from '../../src/cache/read-only.js';
import { widget } from './objects.js';

/** Counts the turns of the event loop until it is aborted. */
async function countTurns(signal: AbortSignal): Promise<number> {
  let turns = 0;
  for (; !signal.aborted; turns++) await nextTurn();
  return turns;
}

test.each([
  [100, 0, 1],
  [2000, 5, 20],
])('%i objects are frozen in %i to %i turns of the event loop', async (count, least, most) => {
  const objects = Array.from({ length: count }, (_, index) => widget(`w${index}`, 1, { labels: { app: 'x' } }));
  const counting = new AbortController();
  const counted = countTurns(counting.signal);
  const frozen = await allReadOnly(objects);
  counting.abort();
  const turns = await counted;
  expect(turns >= least && turns <= most).toBe(true);
  expect(frozen).toEqual(objects);
  expect(frozen.every((each, index) => each === objects[index] && Object.isFrozen(each.metadata.labels))).toBe(true);
});
