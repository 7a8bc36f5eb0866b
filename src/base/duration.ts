/** A time span: a text such as `30s` or `1h30m`, with the units ms, s, m, h and d, or a number of milliseconds. */
export type Duration = string | number;

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Returns a duration in milliseconds; undefined for other texts, for negative numbers and for those that are not finite. */
export function durationMs(duration: Duration): number | undefined {
  if (typeof duration === 'number') return Number.isFinite(duration) && duration >= 0 ? duration : undefined;
  if (!/^(?:\d+(?:ms|s|m|h|d))+$/.test(duration)) return undefined;
  const parts = [...duration.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS], 0);
  return Number.isSafeInteger(total) ? total : undefined;
}
