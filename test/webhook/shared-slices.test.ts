import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FakeClock } from '../../src/base/fake-clock.js';
import { SharedSlices } from '../../src/webhook/shared-slices.js';

/**
 * Runs tasks of the given numbers of steps of 1 ms at the same time; returns the tasks in the order of their steps, by
 * turn.
 */
async function stepsByTurn(tasks: readonly number[]): Promise<string[]> {
  let now = 0;
  const slices = new SharedSlices(Object.assign(new FakeClock(), { monotonic: () => now }));
  const turns = [''];
  let isWorking = true;
  const turn = (): void => {
    turns.push('');
    if (isWorking) setImmediate(turn);
  };
  setImmediate(turn);
  const work = async (steps: number, task: number): Promise<void> => {
    await slices.each(Array(steps).keys(), () => {
      turns.push(`${turns.pop() ?? ''}${task}`);
      now++;
    });
  };
  await Promise.all(tasks.map(work));
  isWorking = false;
  return turns.filter((steps) => steps !== '');
}

test('a single task gets a turn of the event loop after each slice', async () => {
  expect(await stepsByTurn([7])).toEqual(['000', '000', '0']);
});

test('tasks at the same time take turns with whole slices', async () => {
  expect(await stepsByTurn([6, 6])).toEqual(['000', '111', '000', '111']);
});

test('short tasks share the slice of one turn', async () => {
  expect(await stepsByTurn([1, 1, 1, 1, 1])).toEqual(['012', '34']);
});

test('any number of tasks works for at most one slice in a turn, and all of them end', async () => {
  const tasks = fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(tasks, async (steps) => {
      const turns = await stepsByTurn(steps);
      const sum = steps.reduce((total, count) => total + count, 0);
      expect(turns.map((turn) => turn.length).filter((length) => length > 3)).toEqual([]);
      expect(turns.join('')).toHaveLength(sum);
    }),
  );
});
