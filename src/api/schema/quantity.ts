import { ownMember } from '../../base/own-member.js';

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

/** The largest exponent that is computed: larger ones take minutes, also in Kubernetes. A hash such as `3e91234567` has one. */
const MAX_EXPONENT = 9_999;
/** Longer texts are not parsed: the time of BigInt grows with the square of the number of digits. */
const MAX_LENGTH = 1_000;
const MAX_BINARY_NANO = (2n ** 63n - 1n) * NANO;

interface QuantityText {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
  /** Power of 2 for the format BinarySI, of 10 for the others. */
  readonly exponent: number;
  readonly format: Quantity['format'];
}

/** Parses a quantity; undefined when the text is invalid. */
export function parseQuantity(text: string): Quantity | undefined {
  const parts = splitQuantity(text);
  return parts && quantityOf(parts);
}

function splitQuantity(text: string): QuantityText | undefined {
  const [match, sign, whole = '', fraction = '', suffix = ''] =
    (text.length > MAX_LENGTH ? null : QUANTITY.exec(text)) ?? [];
  if (match === undefined || (whole === '' && fraction === '')) return undefined;
  const scale = scaleOf(suffix);
  return Math.abs(scale.exponent) > MAX_EXPONENT ? undefined : { isNegative: sign === '-', whole, fraction, ...scale };
}

function scaleOf(suffix: string): Pick<QuantityText, 'exponent' | 'format'> {
  const [binary, decimal] = [ownMember(BINARY, suffix), ownMember(DECIMAL, suffix)];
  if (binary !== undefined) return { exponent: binary, format: 'BinarySI' };
  if (decimal !== undefined) return { exponent: decimal, format: 'DecimalSI' };
  return { exponent: Number(suffix.slice(1)), format: 'DecimalExponent' };
}

function quantityOf({ isNegative, whole, fraction, exponent, format }: QuantityText): Quantity {
  const base = format === 'BinarySI' ? 2n : 10n;
  const factor = base ** BigInt(Math.abs(exponent));
  const [multiplier, divisor] = exponent < 0 ? [1n, factor] : [factor, 1n];
  const exact = divideUp(BigInt(whole + fraction) * NANO * multiplier, divisor * 10n ** BigInt(fraction.length));
  const nano = format === 'BinarySI' && exact > MAX_BINARY_NANO ? MAX_BINARY_NANO : exact;
  return { nano: isNegative ? -nano : nano, format };
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
  // Without a binary suffix, a stored quantity is decimal when it is read: 2000 bytes are 2k.
  if (format === 'BinarySI' && magnitude % (1024n * NANO) === 0n) return formatBinary(magnitude / NANO);
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

/**
 * Returns the text that Kubernetes stores for a quantity given as text or number: the canonical form, or the given text if
 * `ParseQuantity` of k8s.io/apimachinery keeps it, such as `+5`. Returns undefined when it is invalid.
 */
export function canonicalQuantity(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  const parts = typeof text === 'string' ? splitQuantity(text) : undefined;
  if (!parts) return undefined;
  return isSpellingKept(parts) ? (text as string) : formatQuantity(quantityOf(parts));
}

/** Returns whether Kubernetes keeps the text of a quantity, which need not be in canonical form for that. */
function isSpellingKept({ whole, fraction, exponent, format }: QuantityText): boolean {
  const digits = `${whole.replace(/^0+/, '') || '0'}${fraction}`;
  if (format === 'BinarySI') {
    const mostDigits = 14 - Math.trunc(exponent * 0.3);
    return fraction === '' && digits.length <= mostDigits && BigInt(digits) % 8n !== 0n;
  }
  const scale = exponent - fraction.length;
  const isCanonical = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return isCanonical && digits.length <= 18 && scale >= -9;
}
