import type { FieldOptions } from './field-options.js';
import { appendMetadata, assertCalled, classOfMember, metadataKey } from '../metadata.js';

/** The arguments of one `@Field`. */
export interface FieldEntry {
  readonly property: string;
  readonly options: FieldOptions;
}

export const FIELD = metadataKey<FieldEntry>('field', ({ options }) => options.gate);

/** Adds a property to the schema. The API server drops properties without `@Field`. */
export function Field(description: string, options?: FieldOptions): (target: object, property: string) => void;
export function Field(options?: FieldOptions): (target: object, property: string) => void;
export function Field(
  first: string | FieldOptions = {},
  second: FieldOptions = {},
): (target: object, property: string) => void {
  assertCalled(FIELD, first);
  const options = typeof first === 'string' ? { ...second, description: first } : first;
  return (target, property) => {
    appendMetadata(FIELD, classOfMember(FIELD, target, property), { property, options });
  };
}
