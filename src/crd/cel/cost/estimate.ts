/** The range of a size or cost. Counts saturate at 2^64, as on the server. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const MAX_COUNT = 2 ** 64;
export const UNKNOWN: Range = { min: 0, max: MAX_COUNT };
export const NOTHING: Range = { min: 0, max: 0 };

export function fixed(count: number): Range {
  return { min: count, max: count };
}

export function sum(...ranges: readonly Range[]): Range {
  const sum = (key: keyof Range): number =>
    Math.min(
      MAX_COUNT,
      ranges.reduce((total, range) => total + range[key], 0),
    );
  return { min: sum('min'), max: sum('max') };
}

export function multiply(a: Range, b: Range): Range {
  return { min: Math.min(MAX_COUNT, a.min * b.min), max: Math.min(MAX_COUNT, a.max * b.max) };
}

/** Multiplies both bounds by a factor, rounded up. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: Math.min(MAX_COUNT, Math.ceil(min * factor)), max: Math.min(MAX_COUNT, Math.ceil(max * factor)) };
}

/** Returns the smallest range that includes both. */
export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
