/**
 * A type of Kubernetes' OpenAPI document, such as PodSpec, as the type of a field.
 *
 * A class to the compiler, so that it records the type of a property; its values are plain JSON.
 */
export type Definition<T = unknown> = abstract new () => T;

const DEFINITION = Symbol.for('kindwright.definition');

/** Returns a function that returns the definitions in a package of Kubernetes, such as `io.k8s.api.core.v1`, by name. */
export function packageDefinitions(packageName: string): <T>(name: string) => Definition<T> {
  return <T>(name: string) => {
    const target = class {};
    Object.defineProperty(target, 'name', { value: name });
    return asDefinition(target, `${packageName}.${name}`) as unknown as Definition<T>;
  };
}

/** Makes a value the type of fields that hold this definition. Copies of the value are no such type. */
export function asDefinition<V extends object>(value: V, name: string): V {
  return Object.defineProperty(value, DEFINITION, { value: name });
}

/** Returns the name of the definition that a value represents, if it does. */
export function definitionName(value: unknown): string | undefined {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined;
  return Object.getOwnPropertyDescriptor(value, DEFINITION)?.value as string | undefined;
}

/** Returns `PodSpec` for `io.k8s.api.core.v1.PodSpec`. */
export function shortName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
