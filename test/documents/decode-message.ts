import type { MessageField, MessageTable } from '../../src/apiserver/schema/message-table.js';
import { parseYaml } from '../../src/base/yaml.js';

interface WireValue {
  readonly number: number;
  readonly varint: bigint;
  readonly bytes: Buffer;
}

/**
 * Decodes a message into the fields of a table. Repeated singular messages are merged, as protobuf requires; texts in
 * fields named `yaml` are parsed, since they can be written in several ways.
 * @throws Error for a field that the table does not have
 */
export function decodeMessage(table: MessageTable, message: string, bytes: Buffer): Record<string, unknown> {
  const merged = new Map<MessageField, Buffer[]>();
  const result: Record<string, unknown> = {};
  const fields = new Map(table.fieldsOf(message).map((field) => [field.number, field]));
  for (const value of wireValues(bytes)) {
    const field = fields.get(value.number);
    if (!field) throw new Error(`${message} has no field ${value.number}: ${value.bytes.toString().slice(0, 80)}`);
    if (!isScalar(field) && !field.isRepeated) merged.set(field, [...(merged.get(field) ?? []), value.bytes]);
    else if (field.isRepeated)
      result[field.name] = [...((result[field.name] ?? []) as unknown[]), decoded(table, field, value)];
    else result[field.name] = decoded(table, field, value);
  }
  for (const [field, parts] of merged) result[field.name] = decodeMessage(table, field.type, Buffer.concat(parts));
  return result;
}

function isScalar({ type }: MessageField): boolean {
  return ['string', 'bool', 'int', 'double'].includes(type);
}

function decoded(table: MessageTable, field: MessageField, { varint, bytes }: WireValue): unknown {
  switch (field.type) {
    case 'string':
      return field.name === 'yaml' ? parseYaml(bytes.toString(), 'yaml') : bytes.toString();
    case 'bool':
      return varint === 1n;
    case 'int':
      return Number(BigInt.asIntN(64, varint));
    case 'double':
      return bytes.readDoubleLE();
    default:
      return decodeMessage(table, field.type, bytes);
  }
}

function* wireValues(bytes: Buffer): Generator<WireValue> {
  let at = 0;
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const key = Number(varint());
    const number = key >>> 3;
    if ((key & 7) === 0) yield { number, varint: varint(), bytes: Buffer.alloc(0) };
    else yield { number, varint: 0n, bytes: take((key & 7) === 1 ? 8 : Number(varint())) };
  }
}
