import { schemasBelow, type SchemaProps } from '../schema/schema-props.js';
import { isRecognizedFormat } from './string-formats.js';

/** Returns the formats in a schema and its subschemas that the API server does not check. */
export function unrecognizedFormats(schema: SchemaProps): string[] {
  const { type = '', format = '' } = schema;
  const own = format === '' || isRecognizedFormat(type, format) ? [] : [format];
  return [...own, ...schemasBelow(schema).flatMap(unrecognizedFormats)];
}
