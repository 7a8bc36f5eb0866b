import { formatFieldErrors } from '../../api/protocol/field-error.js';
import { deepEqual } from '../../base/deep-equal.js';
import { goTypeOf } from '../apply/go-value.js';
import { isJsonObject, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { validateAnnotations, validateLabels } from '../validation/fields/object-meta.js';

const CHANGEABLE = [
  ['labels', validateLabels, 'metadata.labels'],
  ['annotations', validateAnnotations, 'metadata.annotation'],
] as const;

/**
 * Returns the metadata of the object with the labels and annotations of the converted one; a conversion must not change
 * anything else: restoreObjectMeta of webhook_converter.go.
 * @throws Error with the server's message
 */
export function restoredMetadata(original: ApiObject, converted: JsonObject): ApiObject['metadata'] {
  const { metadata: given } = converted;
  if (given === undefined) throw new Error('missing metadata in converted object');
  if (!isJsonObject(given)) throw new Error(`invalid metadata of type ${typeText(given)} in converted object`);
  const kept: JsonObject = { ...original.metadata };
  for (const [field, validate, path] of CHANGEABLE) {
    const texts = textsIn(given, field);
    if (!texts) Reflect.deleteProperty(kept, field);
    else if (!deepEqual(texts, kept[field] ?? {})) {
      const errors = validate(texts, path);
      if (errors.length > 0) throw new Error(formatFieldErrors(errors));
    }
    if (texts) kept[field] = texts;
  }
  return kept as unknown as ApiObject['metadata'];
}

function textsIn(metadata: JsonObject, field: string): Record<string, string> | undefined {
  const { [field]: given = null } = metadata;
  if (given === null) return undefined;
  if (!isJsonObject(given)) throw new Error(`invalid metadata.${field} of type ${typeText(given)} in converted object`);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string')
      throw new Error(`metadata.${field}[${key}] must be a string, but is ${typeText(value)} in converted object`);
  }
  return given as Record<string, string>;
}

/** Returns the Go type of a value; untyped decoding keeps integers as int64. */
function typeText(value: unknown): string {
  if (value === null) return '<nil>';
  return Number.isInteger(value) || typeof value === 'bigint' ? 'int64' : goTypeOf(value);
}
