import { calendarSchedule, type CronSchedule } from '../../../base/cron/calendar-schedule.js';
import { cronProblem } from '../../../base/cron/cron-fields.js';
import { parseDuration } from '../../../crd/formats/duration.js';

const SECOND_MS = 1000;

/** Parses a cron schedule in a time zone, or `@every 5m`; returns undefined for an invalid one. */
export function parseCronSchedule(text: string, timeZone = 'UTC'): CronSchedule | undefined {
  const [, interval] = /^@every (.+)$/.exec(text) ?? [];
  if (interval !== undefined) return everyInterval(interval);
  return cronProblem(text) === undefined ? calendarSchedule(text, timeZone) : undefined;
}

function everyInterval(text: string): CronSchedule | undefined {
  const nanos = parseDuration(text)?.nanos;
  if (nanos === undefined) return undefined;
  const seconds = Math.max(1, Math.floor(Number(nanos) / 1e9));
  return { next: (afterMs) => Math.floor(afterMs / SECOND_MS + seconds) * SECOND_MS };
}
