import type { ObjectKey } from '../../api/objects/object-key.js';
import { TerminalError } from '../../base/terminal-error.js';

/** The `@Every` methods to call with the next reconcile of each object. */
export class DueMethods {
  private readonly methodsByKey = new Map<ObjectKey, Set<string>>();

  add(key: ObjectKey, method: string): void {
    const methods = this.methodsByKey.get(key);
    if (methods) methods.add(method);
    else this.methodsByKey.set(key, new Set([method]));
  }

  has(key: ObjectKey): boolean {
    return (this.methodsByKey.get(key)?.size ?? 0) > 0;
  }

  /** To be called when the object is deleted. */
  forget(key: ObjectKey): void {
    this.methodsByKey.delete(key);
  }

  /**
   * Calls the methods of the key that are due now; one that becomes due meanwhile is left for the next call.
   *
   * A method that throws, and those after it, stay due unless the error is terminal or the object was forgotten.
   */
  async run(key: ObjectKey, call: (method: string) => Promise<void> | void): Promise<void> {
    const methods = this.methodsByKey.get(key);
    if (!methods) return;
    for (const method of [...methods]) {
      methods.delete(method);
      try {
        await call(method);
      } catch (error) {
        if (!(error instanceof TerminalError)) methods.add(method);
        throw error;
      } finally {
        if (methods.size === 0 && this.methodsByKey.get(key) === methods) this.methodsByKey.delete(key);
      }
    }
  }
}
