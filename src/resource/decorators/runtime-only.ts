import { appendMetadata, assertCalled, classOfMember, metadataKey } from '../metadata.js';

/** The properties of a class with rules that are checked at run time only. */
export const RUNTIME_ONLY = metadataKey<string>('runtimeOnly');

/**
 * Checks those class-validator rules of a property at run time that a schema cannot express; without it they are errors.
 *
 * The API server then accepts any value. Before each `reconcile` class-validator checks it: an object that violates a
 * rule is not reconciled until it changes, and a Warning event is recorded.
 */
export function RuntimeOnly(): (prototype: object, property: string) => void;
export function RuntimeOnly(first?: unknown): (prototype: object, property: string) => void {
  assertCalled(RUNTIME_ONLY, first);
  return (prototype, property) => {
    appendMetadata(RUNTIME_ONLY, classOfMember(RUNTIME_ONLY, prototype, property), property);
  };
}
