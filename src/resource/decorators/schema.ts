import type { JsonSchema } from '../../api/schema/json-schema.js';
import type { ValueOptions } from './field-options.js';
import { assertCalled, metadataKey, prependMetadata } from '../metadata.js';

/** Schema keywords for the objects of a class, wherever it is used; options of `@Field` take precedence. */
export interface SchemaOptions extends Pick<
  ValueOptions,
  | 'title'
  | 'default'
  | 'example'
  | 'externalDocs'
  | 'nullable'
  | 'minProperties'
  | 'maxProperties'
  | 'mapType'
  | 'preserveUnknownFields'
  | 'embeddedResource'
  | 'maxDescriptionLength'
  | 'allOf'
  | 'anyOf'
  | 'oneOf'
  | 'not'
> {
  /** The required members in this order, including undeclared ones. Default: the non-optional fields, sorted. */
  readonly required?: readonly string[];
  /** Schemas of fields that the class cannot declare, such as one with the name of a method; they are not hydrated. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

export const SCHEMA = metadataKey<SchemaOptions>('schema');

/** Sets schema keywords for the objects of a class as a whole. */
export function Schema(options: SchemaOptions): (target: abstract new (...args: never[]) => object) => void {
  assertCalled(SCHEMA, options);
  return (target) => {
    prependMetadata(SCHEMA, target, options);
  };
}
