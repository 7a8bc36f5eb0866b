import { ownMember } from '../../base/own-member.js';
import { stringifyJson } from '../../base/json.js';
import { isJsonObject, stringAt, type JsonObject } from '../objects/api-object.js';
import { goStruct, type GoStruct, type GoType } from './go-type.js';
import { delimited, double, varintField, text } from './protobuf-wire.js';

const MAGIC = Buffer.from('k8s\0');

/** Encodes an object as `application/vnd.kubernetes.protobuf`; `struct` is its Go struct. */
export function encodeProtobuf(struct: string, object: JsonObject): Buffer {
  return envelope(object, encodeStruct(goStruct(struct), object));
}

/**
 * Encodes a list of objects of one struct. Every list type has its metadata in field 1 and its items in field
 * 2.
 */
export function encodeProtobufList(struct: string, list: JsonObject, items: readonly JsonObject[]): Buffer {
  const metadata = isJsonObject(list.metadata) ? list.metadata : {};
  const item = goStruct(struct);
  return envelope(
    list,
    delimited(1, encodeStruct(goStruct('meta/v1.ListMeta'), metadata)),
    ...items.map((object) => delimited(2, encodeStruct(item, object))),
  );
}

/**
 * Encodes a frame of a watch: its length in 4 bytes, then a metav1.WatchEvent. `object` is a message with its envelope.
 */
export function watchFrame(type: string, object: Buffer): Buffer {
  const event = Buffer.concat([text(1, type), delimited(2, delimited(1, object))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

/** Encodes runtime.Unknown after the magic prefix of Kubernetes messages; contentEncoding and contentType are empty. */
export function envelope(object: JsonObject, ...raw: readonly Buffer[]): Buffer {
  const typeMeta = delimited(1, text(1, stringAt(object, 'apiVersion')), text(2, stringAt(object, 'kind')));
  return Buffer.concat([MAGIC, typeMeta, delimited(2, ...raw), text(3, ''), text(4, '')]);
}

function encodeStruct(struct: GoStruct, object: JsonObject): Buffer {
  const fields: Buffer[] = [];
  // Verbs is a named list type: a message with one repeated field.
  const boxed = struct.name === 'meta/v1.APIResource' ? struct.fields.get('verbs') : undefined;
  for (const [number, field] of struct.byNumber) {
    if ('fields' in field) {
      fields.push(delimited(number, encodeStruct(field, object)));
      continue;
    }
    const value = object[field.name];
    if (value === undefined || value === null) continue;
    const content = encodeField(field === boxed ? 1 : number, field.type, value);
    fields.push(field === boxed ? delimited(number, content) : content);
  }
  return Buffer.concat(fields);
}

function encodeField(number: number, type: GoType, value: unknown): Buffer {
  switch (type.type) {
    case 'pointer':
      return encodeField(number, type.of, value);
    case 'struct':
      return delimited(number, encodeStruct(goStruct(type.name), value as JsonObject));
    case 'scalar':
      return encodeScalar(number, type.name, value);
    case 'list':
      return Buffer.concat((value as unknown[]).map((item) => encodeField(number, type.of, item)));
    case 'map':
      return Buffer.concat(
        Object.entries(value as JsonObject).map(([key, item]) =>
          delimited(number, text(1, key), encodeEntryValue(type.of, item)),
        ),
      );
  }
}

/** Encodes a map value; a list (ExtraValue) is a message with one repeated field. */
function encodeEntryValue(type: GoType, value: unknown): Buffer {
  if (value === undefined || value === null) return Buffer.alloc(0);
  return type.type === 'list' ? delimited(2, encodeField(1, type, value)) : encodeField(2, type, value);
}

function encodeScalar(number: number, name: string, value: unknown): Buffer {
  const encode = ownMember(SCALARS, name);
  if (encode) return encode(number, value as never);
  if (name.startsWith('JSONSchema')) return delimited(number, encodeSchemaUnion(name, value));
  return varintField(number, value as number | bigint);
}

const embeddedJson = (number: number, value: unknown): Buffer => delimited(number, text(1, stringifyJson(value)));
const encodeTime = (number: number, value: string): Buffer => {
  const fraction = /\.(\d+)/.exec(value)?.[1] ?? '';
  const seconds = Math.floor(Date.parse(value) / 1000);
  return delimited(number, varintField(1, seconds), varintField(2, Number(fraction.padEnd(9, '0').slice(0, 9))));
};

const SCALARS: Readonly<Partial<Record<string, (number: number, value: never) => Buffer>>> = {
  string: text,
  bool: (number, value: boolean) => varintField(number, value ? 1 : 0),
  float64: double,
  bytes: (number, value: string) => delimited(number, Buffer.from(value, 'base64')),
  Time: encodeTime,
  MicroTime: encodeTime,
  Quantity: (number, value: unknown) => delimited(number, text(1, String(value))),
  IntOrString: (number, value: number | string) =>
    delimited(number, ...(typeof value === 'string' ? [varintField(1, 1), text(3, value)] : [varintField(2, value)])),
  RawExtension: embeddedJson,
  JSON: embeddedJson,
  FieldsV1: embeddedJson,
};

/** Encodes JSONSchemaPropsOrBool, -OrArray or -OrStringArray: a schema or another value. */
function encodeSchemaUnion(name: string, value: unknown): Buffer {
  const isBoolean = name === 'JSONSchemaPropsOrBool';
  const schema = (given: unknown): Buffer =>
    encodeStruct(goStruct('apiextensions/v1.JSONSchemaProps'), given as JsonObject);
  if (Array.isArray(value)) {
    const items = value as unknown[];
    return Buffer.concat(items.map((item) => (typeof item === 'string' ? text(2, item) : delimited(2, schema(item)))));
  }
  if (!isJsonObject(value)) return varintField(1, value === true ? 1 : 0);
  return isBoolean ? Buffer.concat([varintField(1, 1), delimited(2, schema(value))]) : delimited(1, schema(value));
}
