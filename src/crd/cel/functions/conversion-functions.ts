import { type UintLiteral } from '../syntax/expression.js';
import type { CelAddress, CelNetwork } from './address-functions.js';
import { CelError } from '../values/cel-value.js';
import { int, uint } from './arithmetic-functions.js';
import { CelDuration, formatDuration, parseDuration } from '../../formats/duration.js';
import type { CelFunction } from './cel-function.js';
import { type CelTimestamp, formatTimestamp, inRange, parseTimestamp } from '../../formats/timestamp.js';

const SECOND = 1_000_000_000n;
const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const FALSE = ['0', 'f', 'F', 'FALSE', 'false', 'False'];
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function fail(type: string): never {
  throw new CelError(`type conversion error from 'string' to '${type}'`);
}

function toBool(text: string): boolean {
  if (TRUE.includes(text)) return true;
  return FALSE.includes(text) ? false : fail('bool');
}

function toInt(text: string): bigint {
  return /^[+-]?\d+$/.test(text) ? int(BigInt(text.replace('+', ''))) : fail('int');
}

function toUint(text: string): UintLiteral {
  return /^\d+$/.test(text) ? uint(BigInt(text)) : fail('uint');
}

function toDouble(text: string): number {
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : fail('double');
}

function truncate(value: number): bigint {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

function truncateUint(value: number): UintLiteral {
  if (!(value >= 0 && value < 2 ** 64)) throw new CelError('unsigned integer overflow');
  return uint(BigInt(Math.trunc(value)));
}

function toDuration(text: string): CelDuration {
  return parseDuration(text) ?? fail('google.protobuf.Duration');
}

function toTimestamp(text: string): CelTimestamp {
  return parseTimestamp(text) ?? fail('google.protobuf.Timestamp');
}

function ofSeconds(seconds: bigint): CelTimestamp {
  const found = inRange(seconds * SECOND);
  if (!found) throw new CelError('timestamp overflow');
  return found;
}

function fromUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** Formats a double as Go's %g. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  return power >= -4 && power < 6 ? String(value) : scientific(mantissa, power);
}

function scientific(mantissa: string, power: number): string {
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const same = <T>(value: T): T => value;

export const CONVERSION_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  bool_to_bool: same<boolean>,
  string_to_bool: toBool,
  bytes_to_bytes: same<Uint8Array>,
  string_to_bytes: (text: string) => Buffer.from(text),
  double_to_double: same<number>,
  int_to_double: (value: bigint) => Number(value),
  uint_to_double: ({ value }: UintLiteral) => Number(value),
  string_to_double: toDouble,
  int_to_int64: same<bigint>,
  double_to_int64: truncate,
  duration_to_int64: ({ nanos }: CelDuration) => nanos,
  string_to_int64: toInt,
  timestamp_to_int64: ({ nanos }: CelTimestamp) => (nanos - (((nanos % SECOND) + SECOND) % SECOND)) / SECOND,
  uint_to_int64: ({ value }: UintLiteral) => int(value),
  uint_to_uint64: same<UintLiteral>,
  double_to_uint64: truncateUint,
  int_to_uint64: (value: bigint) => uint(value),
  string_to_uint64: toUint,
  duration_to_duration: same<CelDuration>,
  int_to_duration: (nanos: bigint) => new CelDuration(nanos),
  string_to_duration: toDuration,
  timestamp_to_timestamp: same<CelTimestamp>,
  int_to_timestamp: ofSeconds,
  string_to_timestamp: toTimestamp,
  string_to_string: same<string>,
  bool_to_string: String,
  bytes_to_string: fromUtf8,
  double_to_string: formatDouble,
  duration_to_string: formatDuration,
  int_to_string: String,
  timestamp_to_string: formatTimestamp,
  uint_to_string: ({ value }: UintLiteral) => String(value),
  ip_to_string: (address: CelAddress) => address.toString(),
  cidr_to_string: (network: CelNetwork) => network.toString(),
};
