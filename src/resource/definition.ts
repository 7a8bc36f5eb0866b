import { appendMetadata, lineage, metadataKey, ownMetadata } from './metadata.js';

/**
 * A definition of Kubernetes' OpenAPI document, such as PodSpec, as the type of a field.
 *
 * A class to the compiler, so that it notes the type of a property; its values are plain JSON.
 */
export type Definition<T = unknown> = abstract new () => T;

const DEFINITION = metadataKey<string>('definition');

/** The definition of this name: `io.k8s.api.core.v1.PodSpec`. */
export function definition<T>(name: string): Definition<T> {
  const target = class {};
  Object.defineProperty(target, 'name', { value: shortName(name) });
  appendMetadata(DEFINITION, target, name);
  return target as unknown as Definition<T>;
}

/** The name of the definition that a class stands for, if it does. */
export function definitionName(type: unknown): string | undefined {
  return typeof type === 'function' ? ownMetadata(DEFINITION, type)[0] : undefined;
}

/** The definition that a class extends, if it does. */
export function extendedDefinition(target: object): string | undefined {
  return lineage(target)
    .map(definitionName)
    .find((name) => name !== undefined);
}

/** `PodSpec` of `io.k8s.api.core.v1.PodSpec`. */
export function shortName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
