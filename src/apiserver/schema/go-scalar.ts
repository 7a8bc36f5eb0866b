import { ownMember } from '../../base/own-member.js';
import { isJsonObject } from '../objects/api-object.js';
import { canonicalQuantity } from '../../api/schema/quantity.js';
import { TypeMismatch } from './decode-report.js';
import { LAYOUT, MICRO_LAYOUT, parseGoTime } from './go-time.js';

type Fail = () => TypeMismatch;

const INTEGER_RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int: [-(2n ** 63n), 2n ** 63n - 1n],
  int8: [-128n, 127n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/** Kubernetes' time format. */
const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const decoders: Readonly<Record<string, (raw: unknown, fail: Fail) => unknown>> = {
  string: (raw, fail) => (typeof raw === 'string' ? raw : raise(fail())),
  bool: (raw, fail) => (typeof raw === 'boolean' ? raw : raise(fail())),
  float64: (raw, fail) => (typeof raw === 'number' ? raw : raise(fail())),
  bytes: decodeBytes,
  Time: (raw, fail) => (typeof raw === 'string' ? decodeTime(raw) : raise(fail())),
  MicroTime: (raw, fail) => (typeof raw === 'string' ? decodeMicroTime(raw) : raise(fail())),
  Duration: (raw, fail) => (typeof raw === 'string' ? raw : raise(fail())),
  Quantity: decodeQuantity,
  IntOrString: decodeIntOrString,
  RawExtension: (raw) => raw,
  JSON: (raw) => raw,
  FieldsV1: (raw, fail) => (isJsonObject(raw) ? raw : raise(fail())),
};

function raise(error: Error): never {
  throw error;
}

/** Returns the canonical form of a scalar of the named Go type; `fail` returns Go's error. */
export function decodeScalar(name: string, raw: unknown, fail: Fail): unknown {
  const range = ownMember(INTEGER_RANGES, name);
  if (range) return decodeInteger(raw, range, fail);
  const decode = decoders[name];
  if (!decode) throw new Error(`no decoder for Go type ${name}`);
  return decode(raw, fail);
}

function decodeInteger(raw: unknown, [min, max]: readonly [bigint, bigint], fail: Fail): unknown {
  if (typeof raw === 'bigint') return raw >= min && raw <= max ? raw : raise(fail());
  if (typeof raw !== 'number' || !Number.isInteger(raw)) throw fail();
  return raw >= Number(min) && raw <= Number(max) ? raw : raise(fail());
}

function decodeBytes(raw: unknown, fail: Fail): unknown {
  if (Array.isArray(raw) && raw.every(isByte)) return Buffer.from(raw).toString('base64');
  if (typeof raw !== 'string') throw fail();
  const wrong = base64ErrorOffset(raw);
  if (wrong === undefined) return Buffer.from(raw, 'base64').toString('base64');
  const why = `illegal base64 data at input byte ${wrong}`;
  throw new TypeMismatch(why, `error decoding from json: ${why}`);
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
}

function decodeTime(raw: string): unknown {
  const isWritten = CANONICAL.test(raw) && inSeconds(Date.parse(raw)) === raw;
  return isWritten ? raw : inSeconds(parseGoTime(raw, LAYOUT).ms);
}

/** Formats a time without fractions of seconds; returns undefined for an invalid time. */
function inSeconds(ms: number): string | undefined {
  return Number.isNaN(ms) ? undefined : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function decodeMicroTime(raw: string): unknown {
  const { ms, micros } = parseGoTime(raw, MICRO_LAYOUT);
  return `${new Date(ms).toISOString().slice(0, 19)}.${micros}Z`;
}

export const NO_QUANTITY =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Parses a quantity from the text of any JSON value. */
function decodeQuantity(raw: unknown): unknown {
  const isText = typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint';
  const canonical = isText ? canonicalQuantity(raw) : undefined;
  if (canonical !== undefined) return canonical;
  throw new TypeMismatch(NO_QUANTITY);
}

function decodeIntOrString(raw: unknown, fail: Fail): unknown {
  if (typeof raw === 'string') return raw;
  return decodeInteger(raw, INTEGER_RANGES.int32 ?? [0n, 0n], fail);
}

export function isZeroScalar(name: string, value: unknown): boolean {
  if (name === 'IntOrString' || name === 'Quantity') return false;
  return value === '' || value === 0 || value === false || value === 0n;
}

export function zeroScalar(name: string): unknown {
  switch (name) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'Duration':
      return '0s';
    case 'Quantity':
      return '0';
    case 'IntOrString':
      return 0;
    default:
      return name in INTEGER_RANGES || name === 'float64' ? 0 : null;
  }
}

/** Returns the offset at which Go's base64 decoder fails; undefined if the text is valid. */
export function base64ErrorOffset(text: string): number | undefined {
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (letter === '\n' || letter === '\r') continue;
    if (letter === '=') return wrongPaddingByte(text, at, digits % 4);
    if (!/[A-Za-z0-9+/]/.test(letter)) return at;
    digits++;
  }
  const rest = digits % 4;
  return rest === 0 ? undefined : text.length - rest;
}

/** Returns the offset of the first error in the padding, after `digits` digits of a group of four. */
function wrongPaddingByte(text: string, start: number, digits: number): number | undefined {
  if (digits < 2) return start;
  let at = afterBreaks(text, start + 1);
  if (digits === 2) {
    if (at === text.length) return at;
    if (text[at] !== '=') return at - 1;
    at = afterBreaks(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

function afterBreaks(text: string, start: number): number {
  let at = start;
  while (text[at] === '\n' || text[at] === '\r') at++;
  return at;
}
