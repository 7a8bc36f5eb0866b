import { appendMetadata, assertCalledOnMember, classOfMember, metadataKey } from '../metadata.js';

/** A class, possibly abstract, that identifies an injected value. */
export type InjectionToken<T = unknown> = abstract new (...args: never[]) => T;

/** The arguments of one `@Inject`. */
export interface InjectEntry {
  readonly property: string;
  /** Undefined where modules that import each other are evaluated too early. */
  readonly token: InjectionToken | undefined;
}

export const INJECT = metadataKey<InjectEntry>('inject');

/** The property name, if the property's type accepts the value; private properties are not checked. */
type Accepting<C, P, T> = P extends keyof C ? (T extends C[P] ? P : never) : P;

/**
 * Sets the property to the value provided for a class, before each call of a method of the operator class.
 *
 * Values are provided by `provide` of `onStart`'s context, of a Manager, or of a test's cluster. The operator does not
 * start if one is missing. The property is read-only, not enumerable and not part of the schema.
 *
 * @example
 * class Database extends CustomResource { @Inject(Inventory) readonly inventory!: Inventory; … }
 */
export function Inject<T>(
  token: InjectionToken<T>,
): <C extends object, P extends string>(target: C, property: P & Accepting<C, P, T>) => void {
  assertCalledOnMember(INJECT, token);
  return (target, property) => {
    appendMetadata(INJECT, classOfMember(INJECT, target, property), { property, token });
  };
}
