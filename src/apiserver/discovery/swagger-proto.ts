import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { delimited, text } from '../schema/protobuf-wire.js';

/**
 * Encodes definitions as a message `openapi.v2.Document` to append to another one; readers merge the two. Only the
 * fields that kubectl uses are encoded.
 */
export function definitionsProto(definitions: JsonObject): Buffer {
  return delimited(9, namedSchemas(definitions));
}

function namedSchemas(schemas: JsonObject): Buffer {
  return Buffer.concat(
    Object.entries(schemas).map(([name, schema]) => delimited(1, text(1, name), delimited(2, schemaProto(schema)))),
  );
}

/** Encodes a message `openapi.v2.Schema`. */
export function schemaProto(schema: unknown): Buffer {
  if (!isJsonObject(schema)) return Buffer.alloc(0);
  return Buffer.concat(Object.entries(schema).map(([key, value]) => fieldProto(key, value)));
}

function fieldProto(key: string, value: unknown): Buffer {
  const number = TEXTS[key];
  if (number !== undefined) return text(number, String(value));
  if (key.startsWith('x-')) return extensionProto(31, key, value);
  return WRITERS[key]?.(value) ?? Buffer.alloc(0);
}

/** Encodes a field of type `openapi.v2.NamedAny`. */
export function extensionProto(field: number, name: string, value: unknown): Buffer {
  return delimited(field, text(1, name), delimited(2, text(2, JSON.stringify(value))));
}

const TEXTS: Readonly<Partial<Record<string, number>>> = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 };

const WRITERS: Readonly<Partial<Record<string, (value: unknown) => Buffer>>> = {
  required: (value) => Buffer.concat((value as string[]).map((name) => text(19, name))),
  additionalProperties: (value) =>
    isJsonObject(value)
      ? delimited(21, delimited(1, schemaProto(value)))
      : delimited(21, Buffer.from([2 << 3, Number(value)])),
  type: (value) => delimited(22, text(1, String(value))),
  items: (value) => delimited(23, delimited(1, schemaProto(value))),
  properties: (value) => delimited(25, isJsonObject(value) ? namedSchemas(value) : Buffer.alloc(0)),
};
