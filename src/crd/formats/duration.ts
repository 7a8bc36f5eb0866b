import { ownMember } from '../../base/own-member.js';
/** A duration in nanoseconds. */
export class CelDuration {
  constructor(readonly nanos: bigint) {}
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const SECOND = 1_000_000_000n;
const MAX = (1n << 63n) - 1n;

/** Parses a Go duration, `1h2m3.5s`; undefined when the text is invalid. */
export function parseDuration(text: string): CelDuration | undefined {
  const rest = text.replace(/^[+-]/, '');
  if (rest === '0') return new CelDuration(0n);
  if (!/^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined;
  const parts = [...rest.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)].map(([, count, unit]) => partOf(count, unit));
  const total = parts.reduce((sum, part) => sum + part, 0n);
  const nanos = text.startsWith('-') ? -total : total;
  return nanos > MAX || nanos < -MAX - 1n ? undefined : new CelDuration(nanos);
}

function partOf(count = '', unit = ''): bigint {
  const [whole = '', fraction = ''] = count.split('.');
  const scale = ownMember(UNITS, unit) ?? 1n;
  return BigInt(whole) * scale + (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
}

/** Formats a duration as CEL's string() does: seconds with the necessary fraction digits. */
export function formatDuration({ nanos }: CelDuration): string {
  const [sign, size] = nanos < 0n ? ['-', -nanos] : ['', nanos];
  const fraction = (size % SECOND).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${size / SECOND}${fraction === '' ? '' : `.${fraction}`}s`;
}
