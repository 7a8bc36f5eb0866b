const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration like kubectl's ages: two units for short durations, otherwise one. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 120) return `${Math.max(0, seconds)}s`;
  if (ms < 3 * HOUR) return minutesText(Math.trunc(ms / MINUTE), seconds % 60);
  const hours = Math.trunc(ms / HOUR);
  if (hours < 8) return two(hours, 'h', Math.trunc(ms / MINUTE) % 60, 'm');
  return hours < 48 ? `${hours}h` : daysText(Math.trunc(ms / DAY), hours % 24);
}

function minutesText(minutes: number, seconds: number): string {
  return minutes < 10 ? two(minutes, 'm', seconds, 's') : `${minutes}m`;
}

function daysText(days: number, hours: number): string {
  if (days < 8) return two(days, 'd', hours, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return years < 8 ? two(years, 'y', days % 365, 'd') : `${years}y`;
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** Formats the time since `timestamp`, or returns `absent` without one. */
export function humanAge(timestamp: string | undefined, nowMs: number, absent = '<unknown>'): string {
  return timestamp === undefined || timestamp === '' ? absent : humanDuration(nowMs - Date.parse(timestamp));
}
