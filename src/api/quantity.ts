import { ownMember } from '../base/own-member.js';

/** A resource.Quantity: a decimal number with a suffix, exact in units of 10^-9. */
export interface Quantity {
  /** Value in nano units. */
  readonly nano: bigint;
  readonly format: 'BinarySI' | 'DecimalSI' | 'DecimalExponent';
}

const NANO = 1_000_000_000n;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+|[numkMGTPE]|[KMGTPE]i|)$/;

/** Limits of what is computed: the API server stores no quantity beyond 2^63-1. */
const MAX_LENGTH = 1_000;
const MAX_EXPONENT = 1_000;

/** Parses a quantity; undefined when the text is invalid. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = text.length > MAX_LENGTH ? null : QUANTITY.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const scale = scaleOf(suffix);
  const nano = divideUp(digits * NANO * scale.numerator, scale.denominator * 10n ** BigInt(fraction.length));
  return { nano: sign === '-' ? -nano : nano, format: scale.format };
}

function scaleOf(suffix: string): { numerator: bigint; denominator: bigint; format: Quantity['format'] } {
  const binary = ownMember(BINARY, suffix);
  if (binary !== undefined) return { numerator: 1n << BigInt(binary), denominator: 1n, format: 'BinarySI' };
  const decimal = ownMember(DECIMAL, suffix);
  const exponent = decimal ?? Math.max(-MAX_EXPONENT, Math.min(Number(suffix.slice(1)), MAX_EXPONENT));
  const format = decimal === undefined ? 'DecimalExponent' : 'DecimalSI';
  return exponent >= 0
    ? { numerator: 10n ** BigInt(exponent), denominator: 1n, format }
    : { numerator: 1n, denominator: 10n ** BigInt(-exponent), format };
}

function divideUp(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator === 0n ? quotient : quotient + 1n;
}

/** Returns the canonical form: the largest suffix that needs no fraction. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const negative = nano < 0n;
  const magnitude = negative ? -nano : nano;
  return (negative ? '-' : '') + formatMagnitude(magnitude, format);
}

function formatMagnitude(magnitude: bigint, format: Quantity['format']): string {
  if (format === 'BinarySI' && magnitude % NANO === 0n && magnitude / NANO >= 1024n)
    return formatBinary(magnitude / NANO);
  let exponent = -9;
  let value = magnitude;
  while (value % 1000n === 0n && exponent < 18) {
    value /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalExponent') return exponent === 0 ? `${value}` : `${value}e${exponent}`;
  const suffix = Object.entries(DECIMAL).find(([, power]) => power === exponent)?.[0] ?? '';
  return `${value}${suffix}`;
}

function formatBinary(value: bigint): string {
  let [rest, index] = [value, 0];
  while (rest % 1024n === 0n && index < 6) {
    rest /= 1024n;
    index++;
  }
  return `${rest}${['', ...Object.keys(BINARY)][index] ?? ''}`;
}

/** Returns the canonical text of a quantity given as text or number; undefined when it is invalid. */
export function canonicalQuantity(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  const quantity = typeof text === 'string' ? parseQuantity(text) : undefined;
  return quantity && formatQuantity(quantity);
}
