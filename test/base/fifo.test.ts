import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Fifo } from '../../src/base/fifo.js';

test('elements leave in the order in which they were added, also out of a long queue', () => {
  const steps = fc.array(fc.integer({ min: -2000, max: 2000 }), { maxLength: 20 });
  fc.assert(
    fc.property(steps, (counts) => {
      const fifo = new Fifo<number>();
      let added = 0;
      let removed = 0;
      for (const count of counts) {
        for (let i = 0; i < count; i++) fifo.push(added++);
        for (let i = 0; i < -count && removed < added; i++) {
          expect(fifo.first).toBe(removed);
          expect(fifo.shift()).toBe(removed++);
        }
        expect(fifo).toHaveLength(added - removed);
      }
      fifo.clear();
      expect([fifo.first, fifo.shift(), fifo.length]).toEqual([undefined, undefined, 0]);
    }),
    { numRuns: 20 },
  );
});
