import type { FieldOptions } from '../fields/field-options.js';
import { appendMetadata, classOfMember, metadataKey } from '../metadata.js';

/** A field, as the decorator was given it. */
export interface FieldEntry {
  readonly property: string;
  readonly options: FieldOptions;
}

export const FIELD = metadataKey<FieldEntry>('field');

/** Makes a property part of the schema: what has no `@Field`, the API server drops. */
export function Field(description: string, options?: FieldOptions): (target: object, property: string) => void;
export function Field(options?: FieldOptions): (target: object, property: string) => void;
export function Field(
  first: string | FieldOptions = {},
  second: FieldOptions = {},
): (target: object, property: string) => void {
  const options = typeof first === 'string' ? { ...second, description: first } : first;
  return (target, property) => {
    appendMetadata(FIELD, classOfMember(FIELD, target), { property, options });
  };
}
