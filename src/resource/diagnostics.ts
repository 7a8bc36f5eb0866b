import { memberPath, sourceLine, type Location } from './location.js';
import { ModelError, type Diagnostic } from './model-error.js';

/** Collects the diagnostics of a run, so that they are reported together. */
export class Diagnostics {
  private readonly found = new Map<string, Diagnostic>();

  /** @param areAccepted - the classes were accepted before, so checks that do not change their models are left out */
  constructor(readonly areAccepted = false) {}

  get size(): number {
    return this.found.size;
  }

  /** Adds a diagnostic. One found repeatedly, as by two kinds that share a class, is kept once. */
  add(location: Location, problem: string, hint: string): void {
    const { target, member } = location;
    const source = sourceLine(location);
    this.found.set(JSON.stringify([source, memberPath(location), problem, hint]), {
      className: target.name,
      ...(member !== undefined && { member }),
      ...(source !== undefined && { source }),
      problem,
      hint,
    });
  }

  /** @throws ModelError when there are any. */
  throwIfAny(): void {
    if (this.found.size > 0) throw new ModelError([...this.found.values()]);
  }
}
