/** A canonical decimal of any length: versions can exceed 2^53. */
const DECIMAL = /^(0|[1-9]\d*)$/;

/**
 * Returns a negative number, 0 or a positive number if `a` is older, equal or newer; undefined if they have no order.
 *
 * The versions of one resource are ordered integers (KEP-5504); those of an aggregated API server may have no order.
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** Returns whether `a` is known to be newer than `b`. */
export function isNewer(a: string, b: string): boolean {
  return (compareResourceVersions(a, b) ?? 0) > 0;
}

/** Returns whether `a` is known to be older than `b`, or equal. */
export function isOldOrSame(a: string, b: string): boolean {
  return (compareResourceVersions(a, b) ?? 1) <= 0;
}
