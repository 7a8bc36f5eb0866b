import type { JsonObject } from '../../base/json-object.js';
import { double, varintField } from './protobuf-wire.js';
import { ReverseWriter } from './reverse-writer.js';

/** A field of a protobuf message. */
export interface MessageField {
  readonly name: string;
  readonly number: number;
  /** `string`, `bool`, `int`, `double`, or the name of a message. */
  readonly type: string;
  readonly isRepeated: boolean;
  /** True for members of a oneof, which are encoded even if they are zero. */
  readonly isAlwaysEncoded: boolean;
}

/**
 * Protobuf messages by name. Each is a list of fields as `name=number:type`; the type defaults to `string`, `[]` marks a
 * repeated field, `!` a member of a oneof.
 */
export class MessageTable {
  private readonly fields = new Map<string, readonly MessageField[]>();

  constructor(
    private readonly messages: Readonly<Record<string, string>>,
    /** Convert values to the form of their message, where JSON has another one. */
    private readonly converters: Readonly<Record<string, (value: never) => JsonObject>> = {},
  ) {}

  /** Encodes a value as a message: its fields in the order of the table, without those that are zero or empty. */
  encode(message: string, value: unknown): Buffer {
    const writer = new ReverseWriter();
    this.write(writer, message, value);
    return writer.result();
  }

  /** The fields of a message in the order in which they are encoded. */
  fieldsOf(message: string): readonly MessageField[] {
    let fields = this.fields.get(message);
    if (!fields) this.fields.set(message, (fields = (this.messages[message] ?? '').split(' ').map(fieldIn)));
    return fields;
  }

  private write(writer: ReverseWriter, message: string, value: unknown): void {
    const convert = this.converters[message];
    const object = convert ? convert(value as never) : (value as JsonObject);
    for (const field of this.fieldsOf(message).toReversed()) {
      const { number, type, isRepeated, isAlwaysEncoded } = field;
      const given = object[field.name];
      if (given === undefined || given === null) continue;
      if (isRepeated) for (const each of (given as unknown[]).toReversed()) this.writeField(writer, number, type, each);
      else if (isAlwaysEncoded || !SCALARS.has(type) || !isZero(given)) this.writeField(writer, number, type, given);
    }
  }

  private writeField(writer: ReverseWriter, number: number, type: string, value: unknown): void {
    const isScalar = SCALARS.has(type);
    if (isScalar && type !== 'string') {
      writer.bytes(type === 'double' ? double(number, Number(value)) : varintField(number, Number(value)));
      return;
    }
    const end = writer.length;
    if (isScalar) writer.text(value as string);
    else this.write(writer, type, value);
    writer.varint(writer.length - end);
    writer.varint((number << 3) | LENGTH_DELIMITED);
  }
}

const SCALARS = new Set(['string', 'bool', 'int', 'double']);
const LENGTH_DELIMITED = 2;

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}

function fieldIn(text: string): MessageField {
  const [, name = '', number, type = 'string', list, oneOf] = /^(.+)=(\d+)(?::(\w+?)(\[\])?(!)?)?$/.exec(text) ?? [];
  return {
    name,
    number: Number(number),
    type,
    isRepeated: list !== undefined,
    isAlwaysEncoded: oneOf !== undefined,
  };
}
