import { deepEqual } from '../../../base/deep-equal.js';
import type { ApiObject } from '../../objects/api-object.js';

/**
 * Tracks which webhooks to call again after a later step changed the object: reinvocationcontext.go of
 * webhook/mutating.
 */
export class Reinvocation {
  private invokedBefore = new Set<string>();
  private readonly due = new Set<string>();
  private lastOutput: ApiObject | undefined;

  isDue(webhook: string): boolean {
    return this.due.has(webhook);
  }

  /** Records the call of a webhook with reinvocationPolicy IfNeeded. */
  invoked(webhook: string): void {
    this.invokedBefore.add(webhook);
  }

  /** Marks all webhooks called so far for reinvocation, because the object changed. */
  require(): void {
    for (const webhook of this.invokedBefore) this.due.add(webhook);
    this.invokedBefore = new Set();
  }

  remember(output: ApiObject): void {
    this.lastOutput = output;
  }

  /** Marks them for reinvocation if plugins changed the object. */
  compare(object: ApiObject): void {
    if (this.lastOutput && !deepEqual(this.lastOutput, object)) this.require();
  }
}
