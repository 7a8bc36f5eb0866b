import { ModelError, type Mistake, type Place } from './model-error.js';

/** Collects the mistakes of a run, so that they are reported all at once. */
export class Mistakes {
  private readonly found = new Map<string, Mistake>();

  /** Adds a mistake; one found twice, by way of two kinds that share a class, counts once. */
  add(place: Place, problem: string, hint: string): void {
    const mistake = { ...place, problem, hint };
    this.found.set(JSON.stringify(mistake), mistake);
  }

  /** @throws ModelError when there are any. */
  throwIfAny(): void {
    if (this.found.size > 0) throw new ModelError([...this.found.values()]);
  }
}
