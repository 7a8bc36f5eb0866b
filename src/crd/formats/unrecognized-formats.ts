import { schemasBelow, type SchemaProps } from '../schema/schema-props.js';
import { isRecognizedFormat } from './string-formats.js';

/** The formats of a schema and all below it that the API server does not know, and so does not check. */
export function unrecognizedFormats(schema: SchemaProps): string[] {
  const { type = '', format = '' } = schema;
  const own = format === '' || isRecognizedFormat(type, format) ? [] : [format];
  return [...own, ...schemasBelow(schema).flatMap(unrecognizedFormats)];
}
