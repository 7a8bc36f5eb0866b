const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export function displayTime(timeMs: number): string {
  return TIME.format(timeMs);
}

/** Formats a time with milliseconds: 12:04:06.112. */
export function displayPreciseTime(timeMs: number): string {
  return `${TIME.format(timeMs)}.${String(Math.floor(timeMs) % 1000).padStart(3, '0')}`;
}

/** Formats a duration with two or three digits: 0.3 ms, 12 ms, 1.2 s, 4 min, 3 h. */
export function displayDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(0)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(0)} h` : `${(seconds / 86_400).toFixed(0)} d`;
}

/** Formats how long ago a time was, in whole seconds. */
export function formatAgo(timeMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - timeMs) / 1000));
  return seconds < 1 ? 'now' : `${displayDuration(seconds * 1000).replace('.0', '')} ago`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats a size as the report of the caches does: 1 kB, 3.4 MB. */
export function formatSize(bytes: number): string {
  return bytes < 1e6 ? `${String(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Formats a number with its noun: 1 run, 2 runs. */
export function formatNoun(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a value of a metric with at most three significant digits. */
export function formatNumber(value: number): string {
  if (value === 0 || Math.abs(value) >= 1000) return formatCount(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
