const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a duration such as `30s` or `1h30m`, with the units ms, s, m, h and d; returns undefined for other texts. */
export function durationMs(text: string): number | undefined {
  if (!/^(?:\d+(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS], 0);
  return Number.isSafeInteger(total) ? total : undefined;
}
