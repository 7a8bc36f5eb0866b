import type { JsonSchema } from '../../api/json-schema.js';
import type { ValueOptions } from '../fields/field-options.js';
import { metadataKey, prependMetadata } from '../metadata.js';

/** Keywords of the object that a class describes, wherever it is used; what `@Field` says there comes first. */
export interface SchemaOptions extends Pick<
  ValueOptions,
  | 'title'
  | 'default'
  | 'example'
  | 'externalDocs'
  | 'nullable'
  | 'minProperties'
  | 'maxProperties'
  | 'preserveUnknownFields'
  | 'embeddedResource'
  | 'maxDescriptionLength'
  | 'allOf'
  | 'anyOf'
  | 'oneOf'
  | 'not'
> {
  /** The members that must be there, in this order, undeclared ones included. Default: the fields not optional, sorted. */
  readonly required?: readonly string[];
  /** Fields that the class cannot have, such as one called as a method of it, by their schema; nothing reads them. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

export const SCHEMA = metadataKey<SchemaOptions>('schema');

/** Says of the object that a class describes what belongs to no single field of it. */
export function Schema(options: SchemaOptions): (target: abstract new (...args: never[]) => object) => void {
  return (target) => {
    prependMetadata(SCHEMA, target, options);
  };
}
