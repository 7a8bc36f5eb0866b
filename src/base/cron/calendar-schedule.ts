import { parseCronFields, type CronFields } from './cron-fields.js';
import { zoneOffset } from './zone-offset.js';

const MINUTE_MS = 60_000;
/** Time zone offsets change at multiples of a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Covers the distance between two 29ths of February. */
const HORIZON_DAYS = 366 * 8;

/** The times of a recurring job. */
export interface CronSchedule {
  /** Returns the first time after `afterMs`; undefined if the schedule has none within eight years. */
  next(afterMs: number): number | undefined;
}

/**
 * Parses five cron fields, or a descriptor such as `@daily`, in a time zone.
 *
 * As with robfig/cron, a run in an hour that clocks skip is dropped, and one in an hour that occurs twice runs twice.
 *
 * @throws Error with robfig's message; RangeError for an unknown time zone
 */
export function calendarSchedule(text: string, timeZone = 'UTC'): CronSchedule {
  return new CalendarSchedule(parseCronFields(text), zoneOffset(timeZone));
}

class CalendarSchedule implements CronSchedule {
  /** The last result: many objects have the same schedule, and a rare date takes tens of milliseconds to find. */
  private last: { readonly from: number; readonly time: number | undefined } | undefined;

  constructor(
    private readonly fields: CronFields,
    private readonly offsetAt: (timeMs: number) => number,
  ) {}

  next(afterMs: number): number | undefined {
    const from = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
    const { last } = this;
    const isKnown = last && last.from <= from && from <= (last.time ?? last.from);
    if (isKnown) return last.time;
    const time = this.nextFrom(from);
    this.last = { from, time };
    return time;
  }

  private nextFrom(from: number): number | undefined {
    let offset = this.offsetAt(from);
    for (let time = from; time < from + HORIZON_DAYS * DAY_MS;) {
      if (time % QUARTER_MS === 0) offset = this.offsetAt(time);
      const local = time + offset;
      const intoDay = local - Math.floor(local / DAY_MS) * DAY_MS;
      if (!this.isDay(new Date(local))) time = nextQuarter(time, intoDay);
      else if (this.isTime(intoDay)) return time;
      else time += MINUTE_MS;
    }
    return undefined;
  }

  private isDay(date: Date): boolean {
    const { days, months, weekdays, isEitherDay } = this.fields;
    const [hasDay, hasWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    return months.has(date.getUTCMonth() + 1) && (isEitherDay ? hasDay || hasWeekday : hasDay && hasWeekday);
  }

  private isTime(intoDayMs: number): boolean {
    const minute = intoDayMs / MINUTE_MS;
    return this.fields.minutes.has(minute % 60) && this.fields.hours.has(Math.floor(minute / 60));
  }
}

/**
 * Returns the start of the next quarter of an hour that may match, skipping most of a day that does not. Stops shortly
 * before midnight, as clocks may go forward.
 */
function nextQuarter(time: number, intoDayMs: number): number {
  const step = Math.max(QUARTER_MS, DAY_MS - intoDayMs - 3 * HOUR_MS);
  return Math.floor((time + step) / QUARTER_MS) * QUARTER_MS;
}
