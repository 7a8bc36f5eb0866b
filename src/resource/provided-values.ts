import { OperatorError } from '../base/operator-error.js';
import type { InjectionToken } from './decorators/inject.js';
import type { Diagnostics } from './diagnostics.js';
import type { ResourceModel } from './model.js';

/** The values that are injected into the operator classes of one manager, by their class. */
export class ProvidedValues {
  private readonly values = new Map<InjectionToken, unknown>();

  /** Replaces an earlier value. */
  provide<T>(token: InjectionToken<T>, value: T): void {
    this.values.set(token, value);
  }

  has(token: InjectionToken): boolean {
    return this.values.get(token) !== undefined;
  }

  /** @throws OperatorError when no value was provided. */
  get<T>(token: InjectionToken<T>): T {
    if (this.has(token)) return this.values.get(token) as T;
    throw new OperatorError(`nothing is provided for ${token.name}`, {
      code: 'E_START',
      hint: `call provide(${token.name}, …) in static onStart({ provide })`,
    });
  }

  entries(): IterableIterator<readonly [token: InjectionToken, value: unknown]> {
    return this.values.entries();
  }

  /** Defines the `@Inject` properties of an instance; writes of the instance and copies of it do not include them. */
  inject({ injections }: ResourceModel, instance: object): void {
    for (const { property, token } of injections) {
      const value = this.values.get(token);
      Object.defineProperty(instance, property, { value, writable: false, enumerable: false, configurable: true });
    }
  }

  /** Adds a diagnostic for each `@Inject` property without a value. */
  collectMissing({ target, injections }: ResourceModel, diagnostics: Diagnostics): void {
    for (const { property, token } of injections.filter((injection) => !this.has(injection.token))) {
      const { name } = token;
      diagnostics.add(
        { target, member: property },
        `nothing is provided for ${name}`,
        `call provide(${name}, …) in static onStart({ provide }), or manager.provide(${name}, …) or, in a test, ` +
          `cluster.provide(${name}, …) before the start`,
      );
    }
  }
}
