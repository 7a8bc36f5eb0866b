import { ModelError, type Diagnostic, type Location } from './model-error.js';

/** Collects the diagnostics of a run, so that they are reported all at once. */
export class Diagnostics {
  private readonly found = new Map<string, Diagnostic>();

  /** Adds a diagnostic; one found twice, by way of two kinds that share a class, counts once. */
  add(location: Location, problem: string, hint: string): void {
    const diagnostic = { ...location, problem, hint };
    this.found.set(JSON.stringify(diagnostic), diagnostic);
  }

  /** @throws ModelError when there are any. */
  throwIfAny(): void {
    if (this.found.size > 0) throw new ModelError([...this.found.values()]);
  }
}
