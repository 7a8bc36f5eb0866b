import { deepEqual } from '../../../base/deep-equal.js';
import type { ApiObject } from '../../objects/api-object.js';

/** Which webhooks are asked again after a later step changed the object: webhook/mutating reinvocationcontext.go. */
export class Reinvocation {
  private invokedBefore = new Set<string>();
  private readonly due = new Set<string>();
  private lastOutput: ApiObject | undefined;

  isDue(webhook: string): boolean {
    return this.due.has(webhook);
  }

  /** Notes that a webhook was asked which wants to be asked again. */
  invoked(webhook: string): void {
    this.invokedBefore.add(webhook);
  }

  /** The object changed: whoever was asked so far is due. */
  require(): void {
    for (const webhook of this.invokedBefore) this.due.add(webhook);
    this.invokedBefore = new Set();
  }

  remember(output: ApiObject): void {
    this.lastOutput = output;
  }

  /** Makes all due when plugins changed the object since. */
  compare(object: ApiObject): void {
    if (this.lastOutput && !deepEqual(this.lastOutput, object)) this.require();
  }
}
