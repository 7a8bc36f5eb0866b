import type { WorldStep } from './world-step.js';

/** Steps by their time, then by their order. */
export class StepHeap {
  private readonly steps: WorldStep[] = [];

  /** Returns the first step that is not canceled. */
  peek(): WorldStep | undefined {
    while (this.steps[0]?.isCanceled === true) this.pop();
    return this.steps[0];
  }

  push(step: WorldStep): void {
    const { steps } = this;
    let at = steps.length;
    steps.push(step);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = steps[parent];
      if (!above || isBefore(above, step)) break;
      steps[at] = above;
      at = parent;
    }
    steps[at] = step;
  }

  pop(): WorldStep | undefined {
    const { steps } = this;
    const [first] = steps;
    const last = steps.pop();
    if (!last || steps.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let below = steps[child];
      if (!below) break;
      const right = steps[child + 1];
      if (right && isBefore(right, below)) {
        child += 1;
        below = right;
      }
      if (isBefore(last, below)) break;
      steps[at] = below;
      at = child;
    }
    steps[at] = last;
    return first;
  }

  *[Symbol.iterator](): Generator<WorldStep> {
    for (const step of this.steps) if (!step.isCanceled) yield step;
  }
}

function isBefore(one: WorldStep, other: WorldStep): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);
}
