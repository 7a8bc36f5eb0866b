/**
 * Compares versions, or the lowest versions of simple ranges such as `^1.2.3`, `~1.2`, `>=22.19` and `1.x`.
 *
 * @returns a negative number if the first is lower, a positive one if it is higher; undefined when one is neither, such
 * as `file:../x`, `latest` or a range with several parts
 */
export function compareSemver(a: string, b: string): number | undefined {
  const [first, second] = [lowestOf(a), lowestOf(b)];
  if (!first || !second) return undefined;
  const index = first.numbers.findIndex((number, at) => number !== second.numbers[at]);
  if (index >= 0) return (first.numbers[index] ?? 0) - (second.numbers[index] ?? 0);
  return comparePreReleases(first.preRelease, second.preRelease);
}

interface Version {
  readonly numbers: readonly number[];
  /** The identifiers after the hyphen; empty for a release. */
  readonly preRelease: readonly string[];
}

const SIMPLE_RANGE =
  /^(?:[~^]|>=)?\s*v?(\d+)(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

function lowestOf(range: string): Version | undefined {
  const match = SIMPLE_RANGE.exec(range.trim());
  if (!match) return undefined;
  const [, major, minor, patch, preRelease] = match;
  const numbers = [major, minor, patch].map((part) => (part === undefined || !/^\d/.test(part) ? 0 : Number(part)));
  return { numbers, preRelease: preRelease?.split('.') ?? [] };
}

/** The order of Semantic Versioning: a release is higher, numbers compare as numbers and are lower than words. */
function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  const index = a.findIndex((part, at) => part !== b[at]);
  const [first, second] = [a[index], b[index]];
  if (first === undefined) return a.length - b.length;
  if (second === undefined) return 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(first), /^\d+$/.test(second)];
  if (isNumber && isOtherNumber) return Number(first) - Number(second);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return first < second ? -1 : 1;
}
