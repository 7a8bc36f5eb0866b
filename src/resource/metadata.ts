import 'reflect-metadata';
import { OperatorError } from '../base/operator-error.js';
import type { DecoratorUse } from './decorator-use.js';

/** Names one sort of what decorators leave on a class; `T` is the type of one entry. */
export interface MetadataKey<T> {
  /** From the global registry, so that a second copy of the package reads what the first one wrote. */
  readonly symbol: symbol;
  /** Holds the entry type for the compiler; never set. */
  readonly entry?: T;
}

export function metadataKey<T>(name: string): MetadataKey<T> {
  return { symbol: Symbol.for(`kindwright.${name}`) };
}

/** Adds an entry after those that the class has: members are decorated in the order of the source. */
export function appendMetadata<T>(key: MetadataKey<T>, target: object, entry: T): void {
  Reflect.defineMetadata(key.symbol, [...ownMetadata(key, target), entry], target);
}

/**
 * Adds an entry before those that the class has: decorators of a class are applied from the last to the first.
 *
 * @throws OperatorError where the decorator stands before something else, which compilers without types let pass.
 */
export function prependMetadata<T>(key: MetadataKey<T>, target: object, entry: T): void {
  if (typeof target !== 'function') throw misplaced(key, `a member of ${target.constructor.name}`, 'the class');
  Reflect.defineMetadata(key.symbol, [entry, ...ownMetadata(key, target)], target);
}

/**
 * The class whose property or method is decorated.
 *
 * @throws OperatorError where the decorator stands before something else, which compilers without types let pass.
 */
export function classOfMember(key: MetadataKey<unknown>, target: object): object {
  if (typeof target === 'function')
    throw misplaced(key, `${target.name} or a static member of it`, 'a property that is not static');
  return target.constructor;
}

function misplaced(key: MetadataKey<unknown>, found: string, wanted: string): OperatorError {
  const decorator = `@${decoratorName(key)}`;
  return new OperatorError(`${decorator} stands before ${found}`, {
    code: 'E_MODEL',
    hint: `put ${decorator}(…) before ${wanted}`,
  });
}

/** `PrintColumn` for the key `printColumn`. */
function decoratorName(key: MetadataKey<unknown>): string {
  const name = key.symbol.description?.split('.').pop() ?? '';
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The entries of the class itself, in the order of the source. */
export function ownMetadata<T>(key: MetadataKey<T>, target: object): readonly T[] {
  return (Reflect.getOwnMetadata(key.symbol, target) as readonly T[] | undefined) ?? [];
}

/** The entries of the class and of those it extends, the outermost base first. */
export function inheritedMetadata<T>(key: MetadataKey<T>, target: object): readonly T[] {
  return lineage(target).flatMap((ancestor) => ownMetadata(key, ancestor));
}

/** Where the entry that `inheritedMetadata` has at an index was said: on which class, as which of its own. */
export function declarationOf<T>(
  key: MetadataKey<T>,
  target: object,
  index: number,
): { readonly target: object; readonly index: number } | undefined {
  const declarations = lineage(target).flatMap((ancestor) =>
    ownMetadata(key, ancestor).map((_, own) => ({ target: ancestor, index: own })),
  );
  return declarations[index];
}

/** The use of a class decorator that left the entry that `inheritedMetadata` has at an index. */
export function decoratorUse<T>(key: MetadataKey<T>, target: object, index: number): DecoratorUse | undefined {
  const declaration = declarationOf(key, target, index);
  return declaration && { ...declaration, name: decoratorName(key) };
}

/** The class and all it extends, the outermost base first. */
export function lineage(target: object): object[] {
  const classes: object[] = [];
  for (let ancestor: unknown = target; typeof ancestor === 'function'; ancestor = Object.getPrototypeOf(ancestor)) {
    if (ancestor !== Function.prototype) classes.unshift(ancestor);
  }
  return classes;
}

/** What the compiler noted as the type of a property; undefined also stands for a class not yet defined. */
export interface DesignType {
  readonly type: unknown;
}

/** The noted type of a property, or nothing when the compiler notes none. */
export function designType(prototype: object, property: string): DesignType | undefined {
  if (!Reflect.hasMetadata('design:type', prototype, property)) return undefined;
  return { type: Reflect.getMetadata('design:type', prototype, property) as unknown };
}
