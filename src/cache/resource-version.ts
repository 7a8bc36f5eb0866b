/** Canonical decimal, of any length: versions outgrow what a double holds. */
const DECIMAL = /^(0|[1-9]\d*)$/;

/**
 * Negative, zero or positive where `a` is older, the same or newer; undefined where the two have no order.
 *
 * The versions of one resource are ordered integers (KEP-5504); an aggregated API server may know no order.
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** Whether `a` is known to be newer than `b`. */
export function isNewer(a: string, b: string): boolean {
  return (compareResourceVersions(a, b) ?? 0) > 0;
}

/** Whether `a` is known to be no newer than `b`. */
export function isOldOrSame(a: string, b: string): boolean {
  return (compareResourceVersions(a, b) ?? 1) <= 0;
}
