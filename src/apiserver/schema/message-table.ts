import type { JsonObject } from '../../base/json-object.js';
import { delimited, double, varintField, text } from './protobuf-wire.js';

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
    const convert = this.converters[message];
    const object = convert ? convert(value as never) : (value as JsonObject);
    return Buffer.concat(this.fieldsOf(message).map((field) => this.encodeField(field, object[field.name])));
  }

  /** The fields of a message in the order in which they are encoded. */
  fieldsOf(message: string): readonly MessageField[] {
    let fields = this.fields.get(message);
    if (!fields) this.fields.set(message, (fields = (this.messages[message] ?? '').split(' ').map(fieldIn)));
    return fields;
  }

  private encodeField({ number, type, isRepeated, isAlwaysEncoded }: MessageField, value: unknown): Buffer {
    if (value === undefined || value === null) return EMPTY;
    if (isRepeated) return Buffer.concat((value as unknown[]).map((each) => this.encodeValue(number, type, each)));
    const scalar = SCALARS[type];
    return scalar && !isAlwaysEncoded && isZero(value) ? EMPTY : this.encodeValue(number, type, value);
  }

  private encodeValue(number: number, type: string, value: unknown): Buffer {
    return SCALARS[type]?.(number, value as never) ?? delimited(number, this.encode(type, value));
  }
}

const SCALARS: Readonly<Partial<Record<string, (number: number, value: never) => Buffer>>> = {
  string: text,
  bool: (number, value: boolean) => varintField(number, Number(value)),
  int: varintField,
  double,
};

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}

const EMPTY = Buffer.alloc(0);

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
