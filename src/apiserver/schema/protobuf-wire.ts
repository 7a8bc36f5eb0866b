/** Fields of protobuf's wire format. */

/** Encodes a field of wire type 2: its length, then its content. */
export function delimited(number: number, ...contents: readonly Buffer[]): Buffer {
  const length = contents.reduce((sum, { length: more }) => sum + more, 0);
  return Buffer.concat([varint((number << 3) | 2), varint(length), ...contents]);
}

export function text(number: number, value: string): Buffer {
  return delimited(number, Buffer.from(value));
}

/** Encodes a field of wire type 0; negative values take 64 bits. */
export function varintField(number: number, value: number | bigint): Buffer {
  const isSmall = typeof value === 'number' && value >= 0 && value < 2 ** 31;
  return Buffer.concat([varint(number << 3), isSmall ? varint(value) : longVarint(BigInt.asUintN(64, BigInt(value)))]);
}

/** Encodes a field of wire type 1. */
export function double(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}

function longVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
