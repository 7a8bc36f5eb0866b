const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
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

/** A schedule of five fields, as cron(8) has them, in UTC. */
export class CronSchedule {
  private constructor(
    private readonly minutes: ReadonlySet<number>,
    private readonly hours: ReadonlySet<number>,
    private readonly isDay: (date: Date) => boolean,
  ) {}

  /** Undefined when the text is no schedule. */
  static parse(text: string): CronSchedule | undefined {
    const fields = (SHORTHANDS[text] ?? text).trim().toLowerCase().split(/\s+/);
    const sets = FIELDS.map(([min, max, names], index) => parseField(fields[index] ?? '', min, max, names));
    const [minutes, hours, days, months, weekdays] = sets;
    if (fields.length !== FIELDS.length || !minutes || !hours || !days || !months || !weekdays) return undefined;
    if (weekdays.has(7)) weekdays.add(0);
    const isEither = [fields[2], fields[4]].every((field) => field?.startsWith('*') === false);
    return new CronSchedule(minutes, hours, (date) => {
      const [hasDay, hasWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
      return months.has(date.getUTCMonth() + 1) && (isEither ? hasDay || hasWeekday : hasDay && hasWeekday);
    });
  }

  /** The first time of the schedule after `afterMs`; undefined when there is none in years. */
  next(afterMs: number): number | undefined {
    const from = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
    const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
    for (let day = firstDay; day < firstDay + HORIZON_DAYS * DAY_MS; day += DAY_MS) {
      if (!this.isDay(new Date(day))) continue;
      for (let time = Math.max(day, from); time < day + DAY_MS; time += MINUTE_MS)
        if (this.isTime(time - day)) return time;
    }
    return undefined;
  }

  private isTime(intoDayMs: number): boolean {
    const minute = intoDayMs / MINUTE_MS;
    return this.minutes.has(minute % 60) && this.hours.has(Math.floor(minute / 60));
  }
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
