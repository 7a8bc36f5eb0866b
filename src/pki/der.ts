import { formatTime } from '../base/timestamp.js';

/*
 * DER encoding, as far as X.509 certificates need it.
 *
 * Implemented here because a server must be ready within 150 ms, and a first test done within 100 ms. Loading the
 * library and creating two certificates takes 6 ms of CPU and 3 MB with this module, 60 ms and 17 MB with pkijs 4.0,
 * 125 ms and 20 MB with selfsigned 5.5, 135 ms and 19 MB with @peculiar/x509 2.2, 130 ms and 27 MB with jsrsasign
 * 11.1; node-forge has no ECDSA.
 */

function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export function sequence(...items: readonly Uint8Array[]): Buffer {
  return encode(0x30, ...items);
}

export function set(...items: readonly Uint8Array[]): Buffer {
  return encode(0x31, ...items);
}

/** Encodes `[number] EXPLICIT`. */
export function explicit(number: number, content: Uint8Array): Buffer {
  return encode(0xa0 | number, content);
}

/** Encodes `[number] IMPLICIT` of a primitive. */
export function implicit(number: number, content: Uint8Array): Buffer {
  return encode(0x80 | number, content);
}

/** Encodes a positive integer, big-endian. */
export function integer(bytes: Uint8Array): Buffer {
  const padded = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return encode(0x02, padded);
}

export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return encode(0x03, Buffer.from([unusedBits]), content);
}

export function octetString(content: Uint8Array): Buffer {
  return encode(0x04, content);
}

export function utf8String(text: string): Buffer {
  return encode(0x0c, Buffer.from(text));
}

export function boolean(value: boolean): Buffer {
  return encode(0x01, Buffer.from([value ? 0xff : 0]));
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}

/** Encodes a UTCTime, which RFC 5280 requires until 2049. */
export function utcTime(epochMs: number): Buffer {
  const digits = formatTime(epochMs)
    .replace(/[-:TZ]/g, '')
    .slice(2, 14);
  return encode(0x17, Buffer.from(`${digits}Z`));
}
