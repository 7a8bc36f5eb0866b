import type { SuiteEnvironment } from './jest-internals.ts';

/** What suites can change in their environment, as it was before the first of them. */
export class ProcessState {
  private readonly environment: SuiteEnvironment;
  private readonly variables: NodeJS.ProcessEnv;
  private readonly arguments: readonly string[];
  private readonly listeners: ReadonlyMap<string | symbol, readonly unknown[]>;
  private readonly globals: ReadonlyMap<PropertyKey, PropertyDescriptor>;

  constructor(environment: SuiteEnvironment) {
    this.environment = environment;
    const { global } = environment;
    this.variables = { ...global.process.env };
    this.arguments = [...global.process.argv];
    this.listeners = new Map(global.process.eventNames().map((name) => [name, global.process.rawListeners(name)]));
    this.globals = new Map(Object.entries(Object.getOwnPropertyDescriptors(global)));
  }

  /** Undoes what a suite changed and did not restore. */
  restore(): void {
    const { process: copy } = this.environment.global;
    for (const name of Object.keys(copy.env)) if (!(name in this.variables)) Reflect.deleteProperty(copy.env, name);
    Object.assign(copy.env, this.variables);
    copy.argv = [...this.arguments];
    for (const name of copy.eventNames()) {
      const before = this.listeners.get(name) ?? [];
      for (const listener of copy.rawListeners(name)) {
        if (!before.includes(listener)) Reflect.apply(copy.removeListener, copy, [name, listener]);
      }
    }
    this.restoreGlobals();
  }

  private restoreGlobals(): void {
    const { global } = this.environment;
    const host: Record<PropertyKey, unknown> = globalThis;
    for (const [key, before] of this.globals) {
      const now = Object.getOwnPropertyDescriptor(global, key);
      // jest replaces getters of globals by their values when they are read.
      const isSame = now && (!('value' in now) || Object.is(now.value, 'value' in before ? before.value : host[key]));
      if (!isSame && before.configurable) Object.defineProperty(global, key, before);
    }
  }
}
