import type { ObjectKey } from '../../api/object-key.js';
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
    return this.methodsByKey.has(key);
  }

  /** To be called when the object is deleted. */
  forget(key: ObjectKey): void {
    this.methodsByKey.delete(key);
  }

  /** Calls the methods of the key. One that throws, and those after it, stay due unless the error is terminal. */
  async run(key: ObjectKey, call: (method: string) => Promise<void> | void): Promise<void> {
    for (const method of this.methodsByKey.get(key) ?? []) {
      this.remove(key, method);
      try {
        await call(method);
      } catch (error) {
        if (!(error instanceof TerminalError)) this.add(key, method);
        throw error;
      }
    }
  }

  private remove(key: ObjectKey, method: string): void {
    const methods = this.methodsByKey.get(key);
    methods?.delete(method);
    if (methods?.size === 0) this.methodsByKey.delete(key);
  }
}
