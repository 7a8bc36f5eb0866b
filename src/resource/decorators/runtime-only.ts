import { appendMetadata, classOfMember, metadataKey } from '../metadata.js';

/** The properties of a class of which some rules hold at run time only. */
export const RUNTIME_ONLY = metadataKey<string>('runtimeOnly');

/**
 * Leaves to run time those of a property's class-validator rules that no schema can say; without it they are a mistake.
 *
 * The API server takes any value then. Before each `reconcile` class-validator checks it: an object that breaks a rule is
 * not reconciled, is told so by a Warning event, and is tried again when it changes.
 */
export function RuntimeOnly(): (prototype: object, property: string) => void {
  return (prototype, property) => {
    appendMetadata(RUNTIME_ONLY, classOfMember(RUNTIME_ONLY, prototype), property);
  };
}
