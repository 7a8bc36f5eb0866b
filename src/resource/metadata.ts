import 'reflect-metadata';
import { OperatorError } from '../base/operator-error.js';
import type { DecoratorUse } from './decorator-use.js';
import { isFeatureEnabled, type FeatureGate, type Gated } from './feature-gates.js';

/** A key for the metadata that decorators write to a class; `T` is the type of one entry. */
export interface MetadataKey<T> {
  /** From the global registry, so that several copies of the package share their metadata. */
  readonly symbol: symbol;
  /** Returns the feature gate of an entry, for decorators that have one. */
  gateOf?(entry: T): FeatureGate | undefined;
  /** Holds the entry type for the compiler; never set. */
  readonly entry?: T;
}

/** The keys of decorators with the option `gate`. */
const GATED_KEYS: MetadataKey<unknown>[] = [];

/** @param gateOf - returns the feature gate of an entry; entries behind a disabled one are not read */
export function metadataKey<T>(name: string, gateOf?: (entry: T) => FeatureGate | undefined): MetadataKey<T> {
  const key: MetadataKey<T> = { symbol: Symbol.for(`kindwright.${name}`), ...(gateOf && { gateOf }) };
  if (gateOf) GATED_KEYS.push(key);
  return key;
}

/** Adds an entry at the end: members are decorated in source order. */
export function appendMetadata<T>(key: MetadataKey<T>, target: object, entry: T): void {
  Reflect.defineMetadata(key.symbol, [...declaredMetadata(key, target), entry], target);
}

/**
 * Adds an entry at the start: decorators of a class are applied from last to first.
 *
 * @throws OperatorError where the decorator is applied to anything else, which compilers without type checks accept.
 */
export function prependMetadata<T>(key: MetadataKey<T>, target: object, entry: T): void {
  if (typeof target !== 'function') throw misplaced(key, `a member of ${target.constructor.name}`, 'a class');
  Reflect.defineMetadata(key.symbol, [entry, ...declaredMetadata(key, target)], target);
}

/**
 * Returns the class of the decorated property or method.
 *
 * @throws OperatorError where the decorator is applied to anything else, which compilers without type checks accept.
 */
export function classOfMember(key: MetadataKey<unknown>, target: object, property: string | undefined): object {
  if (typeof target !== 'function') return target.constructor;
  const found = property === undefined ? `class ${target.name}` : `the static member ${target.name}.${property}`;
  throw misplaced(key, found, 'an instance property');
}

/**
 * Rejects a decorator without parentheses: it gets the class, or its prototype, in place of options, and has no effect.
 *
 * @param first - the first argument of the decorator
 * @throws OperatorError with the decorator and the class; compilers without type checks accept both.
 */
export function assertCalled(key: MetadataKey<unknown>, first: unknown): void {
  if (typeof first === 'function') throw notCalled(key, first);
  assertCalledOnMember(key, first);
}

/**
 * The same as `assertCalled`, for decorators of members with a class as possible first argument.
 *
 * @throws OperatorError with the decorator and the class.
 */
export function assertCalledOnMember(key: MetadataKey<unknown>, first: unknown): void {
  const isPrototype = typeof first === 'object' && first !== null && Object.hasOwn(first, 'constructor');
  if (isPrototype) throw notCalled(key, first.constructor);
}

function notCalled(key: MetadataKey<unknown>, target: { readonly name: string }): OperatorError {
  const decorator = `@${decoratorName(key)}`;
  return new OperatorError(`${decorator} has no parentheses, in class ${target.name}`, {
    code: 'E_MODEL',
    hint: `write ${decorator}(…)`,
  });
}

function misplaced(key: MetadataKey<unknown>, found: string, wanted: string): OperatorError {
  const decorator = `@${decoratorName(key)}`;
  return new OperatorError(`${decorator} must be applied to ${wanted}, not to ${found}`, {
    code: 'E_MODEL',
    hint: `move ${decorator}(…) to ${wanted}`,
  });
}

/** `PrintColumn` for the key `printColumn`. */
function decoratorName(key: MetadataKey<unknown>): string {
  const name = key.symbol.description?.split('.').pop() ?? '';
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The entries of the class itself, in source order, also those behind disabled feature gates. */
export function declaredMetadata<T>(key: MetadataKey<T>, target: object): readonly T[] {
  return (Reflect.getOwnMetadata(key.symbol, target) as readonly T[] | undefined) ?? [];
}

/** The entries of the class itself, in source order. Those behind disabled feature gates are left out. */
export function ownMetadata<T>(key: MetadataKey<T>, target: object): readonly T[] {
  return declaredMetadata(key, target).filter((entry) => isEnabled(key, entry, target));
}

function isEnabled<T>(key: MetadataKey<T>, entry: T, target: object): boolean {
  const gate = key.gateOf?.(entry);
  if (gate) return isFeatureEnabled(gate);
  const { property } = (typeof entry === 'object' ? entry : {}) as { readonly property?: unknown };
  return typeof property !== 'string' || !isDisabledField(target, property);
}

/** Returns true for a property of the class with its `@Field` behind a disabled feature gate, with all its decorators. */
export function isDisabledField(target: object, property: string): boolean {
  const fields = Reflect.getOwnMetadata(FIELD_SYMBOL, target) as readonly GatedField[] | undefined;
  const gate = fields?.find((field) => field.property === property)?.options.gate;
  return gate !== undefined && !isFeatureEnabled(gate);
}

/** The symbol and entries of `@Field`; its gate also applies to the other decorators of the property. */
const FIELD_SYMBOL = Symbol.for('kindwright.field');
interface GatedField {
  readonly property: string;
  readonly options: Gated;
}

/** The feature gates of all decorators of a class and its base classes. */
export function gatesOfClass(target: object): FeatureGate[] {
  return lineage(target).flatMap((ancestor) =>
    GATED_KEYS.flatMap((key) => declaredMetadata(key, ancestor).flatMap((entry) => key.gateOf?.(entry) ?? [])),
  );
}

/** The entries of the class and its base classes, the outermost first. */
export function inheritedMetadata<T>(key: MetadataKey<T>, target: object): readonly T[] {
  return lineage(target).flatMap((ancestor) => ownMetadata(key, ancestor));
}

/** The class that declares the entry of `inheritedMetadata` at an index, and the index among its own entries. */
export function declarationOf<T>(
  key: MetadataKey<T>,
  target: object,
  index: number,
): { readonly target: object; readonly index: number } | undefined {
  const declarations = lineage(target).flatMap((ancestor) => {
    const enabled = new Set(ownMetadata(key, ancestor));
    return [...declaredMetadata(key, ancestor).entries()].flatMap(([own, entry]) =>
      enabled.has(entry) ? [{ target: ancestor, index: own }] : [],
    );
  });
  return declarations[index];
}

/** The use of a class decorator that left the entry that `inheritedMetadata` has at an index. */
export function decoratorUse<T>(key: MetadataKey<T>, target: object, index: number): DecoratorUse | undefined {
  const declaration = declarationOf(key, target, index);
  return declaration && { ...declaration, name: decoratorName(key) };
}

/** The class and its base classes, the outermost first. */
export function lineage(target: object): object[] {
  const classes: object[] = [];
  for (let ancestor: unknown = target; typeof ancestor === 'function'; ancestor = Object.getPrototypeOf(ancestor)) {
    if (ancestor !== Function.prototype) classes.unshift(ancestor);
  }
  return classes;
}

/** The type of a property as recorded by the compiler; undefined for a class that is not yet defined. */
export interface DesignType {
  readonly type: unknown;
}

/** The recorded type of a property; undefined when the compiler records none. */
export function designType(prototype: object, property: string): DesignType | undefined {
  if (!Reflect.hasMetadata('design:type', prototype, property)) return undefined;
  return { type: Reflect.getMetadata('design:type', prototype, property) as unknown };
}
