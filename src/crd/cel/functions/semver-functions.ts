import { CelError, CelObject } from '../values/cel-value.js';
import type { CelFunction } from './cel-function.js';

/** A version of semver.org 2.0.0. */
class CelSemver extends CelObject {
  readonly typeName = 'kubernetes.Semver';

  constructor(
    readonly numbers: readonly bigint[],
    readonly pre: readonly string[],
  ) {
    super();
  }

  equals(other: CelObject): boolean {
    return other instanceof CelSemver && compare(this, other) === 0n;
  }
}

const NUMBER = '(0|[1-9]\\d*)';
const SEMVER = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-([-0-9A-Za-z.]+))?(?:\\+([-0-9A-Za-z.]+))?$`);

function parse(text: string): CelSemver | undefined {
  const [, major, minor, patch, pre, build] = SEMVER.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  const parts = pre === undefined ? [] : pre.split('.');
  if (parts.some((part) => part === '' || /^0\d+$/.test(part)) || build?.split('.').includes('') === true)
    return undefined;
  return new CelSemver([major, minor, patch].map(BigInt), parts);
}

/** Removes a leading `v` and leading zeros, and adds missing numbers. */
function normalize(text: string): string {
  const [, numbers = '', rest = ''] = /^v?([\d.]*)(.*)$/s.exec(text) ?? [];
  const parts = numbers.split('.').map((part) => (/^\d+$/.test(part) ? String(BigInt(part)) : part));
  while (parts.length < 3 && rest === '') parts.push('0');
  return parts.join('.') + rest;
}

function toSemver(text: string, isLoose = false): CelSemver {
  const version = parse(isLoose ? normalize(text) : text);
  if (!version) throw new CelError('No Major.Minor.Patch elements found');
  return version;
}

function compare(a: CelSemver, b: CelSemver): bigint {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1n : 1n;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return BigInt(Math.sign(b.pre.length - a.pre.length));
  return comparePre(a.pre, b.pre);
}

function comparePre(a: readonly string[], b: readonly string[]): bigint {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1n;
    if (part !== other) return comparePart(part, other);
  }
  return a.length < b.length ? -1n : 0n;
}

function comparePart(a: string, b: string): bigint {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOther) return BigInt(a) < BigInt(b) ? -1n : 1n;
  if (isNumber !== isOther) return isNumber ? -1n : 1n;
  return a < b ? -1n : 1n;
}

export const SEMVER_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  string_to_semver: toSemver,
  string_bool_to_semver: toSemver,
  is_semver_string: (text: string) => parse(text) !== undefined,
  is_semver_string_bool: (text: string, isLoose: boolean) => parse(isLoose ? normalize(text) : text) !== undefined,
  semver_is_greater_than: (a: CelSemver, b: CelSemver) => compare(a, b) > 0n,
  semver_is_less_than: (a: CelSemver, b: CelSemver) => compare(a, b) < 0n,
  semver_compare_to: compare,
  semver_major: ({ numbers }: CelSemver) => numbers[0] ?? 0n,
  semver_minor: ({ numbers }: CelSemver) => numbers[1] ?? 0n,
  semver_patch: ({ numbers }: CelSemver) => numbers[2] ?? 0n,
};
