import { isJsonObject, type JsonObject } from '../object.js';

/**
 * Definitions as a message `openapi.v2.Document`, to be written after another one: readers merge the two.
 *
 * Fields not named here are of no use to kubectl.
 */
export function definitionsProto(definitions: JsonObject): Buffer {
  return message(9, namedSchemas(definitions));
}

function namedSchemas(schemas: JsonObject): Buffer {
  return Buffer.concat(
    Object.entries(schemas).map(([name, schema]) => message(1, text(1, name), message(2, schemaProto(schema)))),
  );
}

function schemaProto(schema: unknown): Buffer {
  if (!isJsonObject(schema)) return Buffer.alloc(0);
  return Buffer.concat(Object.entries(schema).map(([key, value]) => fieldProto(key, value)));
}

function fieldProto(key: string, value: unknown): Buffer {
  const number = TEXTS[key];
  if (number !== undefined) return text(number, String(value));
  if (key.startsWith('x-')) return message(31, text(1, key), message(2, text(2, JSON.stringify(value))));
  return WRITERS[key]?.(value) ?? Buffer.alloc(0);
}

const TEXTS: Readonly<Partial<Record<string, number>>> = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 };

const WRITERS: Readonly<Partial<Record<string, (value: unknown) => Buffer>>> = {
  required: (value) => Buffer.concat((value as string[]).map((name) => text(19, name))),
  additionalProperties: (value) =>
    isJsonObject(value)
      ? message(21, message(1, schemaProto(value)))
      : message(21, Buffer.from([2 << 3, Number(value)])),
  type: (value) => message(22, text(1, String(value))),
  items: (value) => message(23, message(1, schemaProto(value))),
  properties: (value) => message(25, isJsonObject(value) ? namedSchemas(value) : Buffer.alloc(0)),
};

function text(number: number, value: string): Buffer {
  return message(number, Buffer.from(value));
}

/** A field of wire type 2: its length, then its content. */
function message(number: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([varint((number << 3) | 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}
