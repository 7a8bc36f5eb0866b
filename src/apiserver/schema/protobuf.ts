import { ownMember } from '../../base/own-member.js';
import { badRequest } from '../errors/status-error.js';
import { setMember } from '../../base/set-member.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { goStruct, type GoField, type GoStruct, type GoType } from './go-type.js';

const MAGIC = Buffer.from('k8s\0');

/** Decodes `application/vnd.kubernetes.protobuf` into JSON; `structFor` names the Go struct of a kind. */
export function decodeProtobuf(bytes: Buffer, structFor: (apiVersion: string, kind: string) => string): JsonObject {
  if (!bytes.subarray(0, 4).equals(MAGIC))
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  let [apiVersion, kind] = ['', ''];
  let raw: Buffer = Buffer.alloc(0);
  for (const { number, bytes: content } of new Reader(bytes.subarray(4)).fields()) {
    if (number === 1) {
      for (const member of new Reader(content).fields()) {
        if (member.number === 1) apiVersion = member.bytes.toString();
        if (member.number === 2) kind = member.bytes.toString();
      }
    } else if (number === 2) raw = content;
  }
  return { apiVersion, kind, ...decodeStruct(goStruct(structFor(apiVersion, kind)), raw) };
}

interface WireField {
  readonly number: number;
  readonly varint: bigint;
  readonly bytes: Buffer;
}

/** Reads protobuf's wire format. */
class Reader {
  private position = 0;

  constructor(private readonly data: Buffer) {}

  *fields(): Generator<WireField> {
    while (this.position < this.data.length) {
      const key = Number(this.varint());
      const number = key >>> 3;
      switch (key & 7) {
        case 0:
          yield { number, varint: this.varint(), bytes: EMPTY };
          break;
        case 1:
          yield { number, varint: 0n, bytes: this.take(8) };
          break;
        case 2:
          yield { number, varint: 0n, bytes: this.take(Number(this.varint())) };
          break;
        case 5:
          yield { number, varint: 0n, bytes: this.take(4) };
          break;
        default:
          throw badRequest('proto: illegal wireType');
      }
    }
  }

  private varint(): bigint {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = this.data[this.position++];
      if (byte === undefined || shift > 63n) throw badRequest('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      shift += 7n;
    }
  }

  private take(length: number): Buffer {
    const end = this.position + length;
    if (end > this.data.length) throw badRequest('unexpected EOF');
    const bytes = this.data.subarray(this.position, end);
    this.position = end;
    return bytes;
  }
}

const EMPTY = Buffer.alloc(0);

function decodeStruct(struct: GoStruct, bytes: Buffer): JsonObject {
  const result: JsonObject = {};
  for (const wire of new Reader(bytes).fields()) {
    const field = struct.byNumber.get(wire.number);
    if (!field) continue;
    if ('fields' in field) Object.assign(result, decodeStruct(field, wire.bytes));
    else addField(result, field, wire);
  }
  return result;
}

function addField(target: JsonObject, field: GoField, wire: WireField): void {
  const type = field.type.type === 'pointer' ? field.type.of : field.type;
  if (type.type === 'list') {
    const list = target[field.name];
    const item = decodeValue(type.of, wire);
    if (Array.isArray(list)) list.push(item);
    else target[field.name] = [item];
  } else if (type.type === 'map') {
    const map = target[field.name];
    const entry = decodeEntry(type.of, wire.bytes);
    if (!isJsonObject(map)) target[field.name] = { [entry.key]: entry.value };
    else setMember(map, entry.key, entry.value);
  } else target[field.name] = decodeValue(type, wire);
}

function decodeEntry(type: GoType, bytes: Buffer): { key: string; value: unknown } {
  let [key, value]: [string, unknown] = ['', decodeValue(type, { number: 2, varint: 0n, bytes: EMPTY })];
  for (const wire of new Reader(bytes).fields()) {
    if (wire.number === 1) key = wire.bytes.toString();
    else if (wire.number === 2) value = decodeValue(type, wire);
  }
  return { key, value };
}

function decodeValue(type: GoType, wire: WireField): unknown {
  switch (type.type) {
    case 'pointer':
      return decodeValue(type.of, wire);
    case 'struct':
      return decodeStruct(goStruct(type.name), wire.bytes);
    case 'scalar':
      return decodeScalar(type.name, wire);
    case 'list':
    case 'map': {
      // A named list or map inside a map (ExtraValue) is a message with one repeated field.
      const holder: JsonObject = {};
      const field = {
        name: 'items',
        type,
        named: type,
        via: '',
        omitEmpty: true,
        omitZero: false,
        row: { n: 'items', t: '' },
      };
      for (const member of new Reader(wire.bytes).fields()) addField(holder, field, member);
      return holder.items;
    }
  }
}

function decodeScalar(name: string, wire: WireField): unknown {
  const decode = ownMember(SCALARS, name);
  if (decode) return decode(wire);
  return name.startsWith('JSONSchema') ? decodeSchemaUnion(name, wire.bytes) : integer(wire.varint);
}

const embeddedJson = ({ bytes }: WireField): unknown => JSON.parse(first(bytes, 1)?.bytes.toString() ?? 'null');

const SCALARS: Readonly<Partial<Record<string, (wire: WireField) => unknown>>> = {
  string: ({ bytes }) => bytes.toString(),
  bool: ({ varint }) => varint !== 0n,
  float64: ({ bytes }) => bytes.readDoubleLE(),
  bytes: ({ bytes }) => bytes.toString('base64'),
  Time: ({ bytes }) => decodeTime(bytes, false),
  MicroTime: ({ bytes }) => decodeTime(bytes, true),
  Quantity: ({ bytes }) => first(bytes, 1)?.bytes.toString() ?? '0',
  IntOrString: ({ bytes }) => decodeIntOrString(bytes),
  RawExtension: embeddedJson,
  JSON: embeddedJson,
  FieldsV1: embeddedJson,
};

function decodeIntOrString(bytes: Buffer): unknown {
  const isString = first(bytes, 1)?.varint === 1n;
  return isString ? (first(bytes, 3)?.bytes.toString() ?? '') : integer(first(bytes, 2)?.varint ?? 0n);
}

function decodeSchemaUnion(name: string, bytes: Buffer): unknown {
  const schema = goStruct('apiextensions/v1.JSONSchemaProps');
  const members = [...new Reader(bytes).fields()];
  if (name === 'JSONSchemaPropsOrBool') {
    const object = members.find(({ number }) => number === 2);
    return object ? decodeStruct(schema, object.bytes) : members.some(({ varint }) => varint !== 0n);
  }
  const object = members.find(({ number }) => number === 1);
  if (object) return decodeStruct(schema, object.bytes);
  const rest = members.filter(({ number }) => number === 2);
  return name === 'JSONSchemaPropsOrArray'
    ? rest.map((item) => decodeStruct(schema, item.bytes))
    : rest.map((item) => item.bytes.toString());
}

function first(bytes: Buffer, wanted: number): WireField | undefined {
  return [...new Reader(bytes).fields()].find(({ number }) => number === wanted);
}

function integer(value: bigint): number | bigint {
  const signed = BigInt.asIntN(64, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

function decodeTime(bytes: Buffer, micro: boolean): unknown {
  if (bytes.length === 0) return null;
  const seconds = Number(BigInt.asIntN(64, first(bytes, 1)?.varint ?? 0n));
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  if (!micro) return `${text}Z`;
  const nanos = Number(first(bytes, 2)?.varint ?? 0n);
  return `${text}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}
