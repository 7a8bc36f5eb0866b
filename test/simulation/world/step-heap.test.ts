import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StepHeap } from '../../../src/simulation/world/step-heap.js';
import type { WorldStep } from '../../../src/simulation/world/world-step.js';

const task = { owner: { name: 'server', isDead: false }, label: 'step' };

function stepAt(dueMs: number, order: number, isCanceled = false): WorldStep {
  return { task, lane: 'lane', dueMs, order, run: () => undefined, isCanceled };
}

describe('the steps that are not due yet', () => {
  it('come in the order of their times, then of their creation, without canceled ones', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.boolean())), (given) => {
        const heap = new StepHeap();
        const steps = given.map(([dueMs, isCanceled], order) => stepAt(dueMs, order, isCanceled));
        for (const step of steps) heap.push(step);
        const taken: WorldStep[] = [];
        for (let step = heap.peek(); step; step = heap.peek()) {
          heap.pop();
          taken.push(step);
        }
        const expected = steps
          .filter((step) => !step.isCanceled)
          .sort((a, b) => a.dueMs - b.dueMs || a.order - b.order);
        expect(taken).toEqual(expected);
      }),
    );
  });
});
