import type { FieldOptions } from './field-options.js';
import { appendMetadata, assertCalled, classOfMember, metadataKey } from '../metadata.js';

/** The arguments of one `@Field`. */
export interface FieldEntry {
  readonly property: string;
  readonly description: string | undefined;
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
  const [description, options] = typeof first === 'string' ? [first, second] : [undefined, first];
  return (target, property) => {
    appendMetadata(FIELD, classOfMember(FIELD, target, property), { property, description, options });
  };
}
