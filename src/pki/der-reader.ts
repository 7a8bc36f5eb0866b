/** A DER value: X.690. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** The bytes including tag and length. */
  readonly whole: Buffer;
}

/** Reads the first value. */
export function readDer(bytes: Buffer): DerValue {
  const [tag = 0, first = 0] = bytes;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (bytes.length < 2 + lengthBytes || lengthBytes > 4) throw new Error('x509: malformed certificate request');
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  const end = 2 + lengthBytes + length;
  if (end > bytes.length) throw new Error('x509: malformed certificate request');
  return { tag, content: bytes.subarray(2 + lengthBytes, end), whole: bytes.subarray(0, end) };
}

/** Returns the values of a sequence or set. */
export function membersOf({ content }: DerValue): DerValue[] {
  const members: DerValue[] = [];
  for (let rest = content; rest.length > 0; rest = rest.subarray(members.at(-1)?.whole.length))
    members.push(readDer(rest));
  return members;
}

/** Returns an object identifier in dotted form. */
export function identifierOf({ content }: DerValue): string {
  const [first = 0, ...bytes] = content;
  const parts = [Math.min(2, Math.floor(first / 40))];
  parts.push(first - (parts[0] ?? 0) * 40);
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      parts.push(value);
      value = 0;
    }
  }
  return parts.join('.');
}
