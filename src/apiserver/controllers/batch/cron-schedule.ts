import { parseDuration } from '../../../crd/cel/evaluate/duration.js';
import { zoneOffset } from './zone-offset.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** Clocks are put forward and back at full quarters. */
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Long enough for a 29th of February. */
const HORIZON_DAYS = 366 * 8;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly [min: number, max: number, names?: readonly string[]][] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12, MONTHS],
  [0, 7, WEEKDAYS],
];
const SHORTHANDS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/** When something is to be done again and again. */
export interface CronSchedule {
  /** The first time after `afterMs`; undefined when there is none in years. */
  next(afterMs: number): number | undefined;
}

/**
 * A schedule as cron(8) has it, by the clocks of a time zone, or `@every 5m`; undefined when the text is neither.
 *
 * As in Go's robfig/cron what is due in an hour that is left out is not done, and twice in one that comes twice.
 */
export function parseCronSchedule(text: string, timeZone = 'UTC'): CronSchedule | undefined {
  const [, interval] = /^@every (.+)$/.exec(text) ?? [];
  return interval === undefined ? CalendarSchedule.parse(text, zoneOffset(timeZone)) : everyInterval(interval);
}

function everyInterval(text: string): CronSchedule | undefined {
  const nanos = parseDuration(text)?.nanos;
  if (nanos === undefined) return undefined;
  const seconds = Math.max(1, Math.floor(Number(nanos) / 1e9));
  return { next: (afterMs) => Math.floor(afterMs / SECOND_MS + seconds) * SECOND_MS };
}

class CalendarSchedule implements CronSchedule {
  private constructor(
    private readonly minutes: ReadonlySet<number>,
    private readonly hours: ReadonlySet<number>,
    private readonly isDay: (date: Date) => boolean,
    private readonly offsetAt: (timeMs: number) => number,
  ) {}

  static parse(text: string, offsetAt: (timeMs: number) => number): CalendarSchedule | undefined {
    const fields = (SHORTHANDS[text] ?? text).trim().toLowerCase().split(/\s+/);
    const sets = FIELDS.map(([min, max, names], index) => parseField(fields[index] ?? '', min, max, names));
    const [minutes, hours, days, months, weekdays] = sets;
    if (fields.length !== FIELDS.length || !minutes || !hours || !days || !months || !weekdays) return undefined;
    if (weekdays.has(7)) weekdays.add(0);
    const isEither = [fields[2], fields[4]].every((field) => field?.startsWith('*') === false);
    const isDay = (date: Date): boolean => {
      const [hasDay, hasWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
      return months.has(date.getUTCMonth() + 1) && (isEither ? hasDay || hasWeekday : hasDay && hasWeekday);
    };
    return new CalendarSchedule(minutes, hours, isDay, offsetAt);
  }

  next(afterMs: number): number | undefined {
    const from = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
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

  private isTime(intoDayMs: number): boolean {
    const minute = intoDayMs / MINUTE_MS;
    return this.minutes.has(minute % 60) && this.hours.has(Math.floor(minute / 60));
  }
}

/** On a day that is not the one: the next quarter, or one shortly before midnight, as clocks may be put forward. */
function nextQuarter(time: number, intoDayMs: number): number {
  const step = Math.max(QUARTER_MS, DAY_MS - intoDayMs - 3 * HOUR_MS);
  return Math.floor((time + step) / QUARTER_MS) * QUARTER_MS;
}

function parseField(text: string, min: number, max: number, names: readonly string[] = []): Set<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(\*|\?|[a-z0-9]+(?:-[a-z0-9]+)?)(?:\/(\d+))?$/.exec(part);
    if (!match) return undefined;
    const [first, last] = bounds(match[1] ?? '', match[2] !== undefined, min, max, names);
    const step = Number(match[2] ?? 1);
    if (!isRange(first, last, min, max) || step === 0) return undefined;
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return values;
}

/** Not for NaN, which is what a name nobody knows comes to. */
function isRange(first: number, last: number, min: number, max: number): boolean {
  return first >= min && last <= max && first <= last;
}

/** `5/10` runs from 5 to the end; a plain number is itself. */
function bounds(range: string, hasStep: boolean, min: number, max: number, names: readonly string[]): [number, number] {
  if (range === '*' || range === '?') return [min, max];
  const numberOf = (text: string): number => (names.includes(text) ? names.indexOf(text) + min : Number(text || NaN));
  const [first = '', last] = range.split('-');
  return [numberOf(first), last === undefined ? (hasStep ? max : numberOf(first)) : numberOf(last)];
}
