import { CelError } from '../values/cel-value.js';
import { type CelDuration } from '../../formats/duration.js';
import type { CelFunction } from './cel-function.js';
import { type CelTimestamp } from '../../formats/timestamp.js';

const MILLI = 1_000_000n;
const DAY_MS = 86_400_000;

type Read = (date: Date) => number;

/** Getters for a date that is shifted so that its UTC fields are those of the time zone. */
const FIELDS: Readonly<Record<string, Read>> = {
  FullYear: (date) => date.getUTCFullYear(),
  Month: (date) => date.getUTCMonth(),
  DayOfYear: (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS),
  DayOfMonth: (date) => date.getUTCDate() - 1,
  Date: (date) => date.getUTCDate(),
  DayOfWeek: (date) => date.getUTCDay(),
  Hours: (date) => date.getUTCHours(),
  Minutes: (date) => date.getUTCMinutes(),
  Seconds: (date) => date.getUTCSeconds(),
  Milliseconds: (date) => date.getUTCMilliseconds(),
};

const DURATION_UNITS: Readonly<Record<string, bigint>> = {
  Hours: 3_600_000n,
  Minutes: 60_000n,
  Seconds: 1000n,
  Milliseconds: 1n,
};

function dateOf({ nanos }: CelTimestamp, zone = 'UTC'): Date {
  const fraction = ((nanos % MILLI) + MILLI) % MILLI;
  const milliseconds = Number((nanos - fraction) / MILLI);
  return new Date(milliseconds + offsetOf(zone, milliseconds));
}

/** Returns the offset of a time zone from UTC, in milliseconds. */
function offsetOf(zone: string, at: number): number {
  if (zone === 'UTC' || zone === '') return 0;
  const match = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (match) {
    const [, sign, hours, minutes] = match;
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  }
  try {
    const whole = Math.floor(at / 1000) * 1000;
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    return Date.parse(`${format.format(whole).replace(' ', 'T')}Z`) - whole;
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

const onTimestamps = Object.entries(FIELDS).flatMap(([name, read]): [string, CelFunction][] => [
  [`timestamp_${name}`, (time: CelTimestamp) => BigInt(read(dateOf(time)))],
  [`timestamp_${name}_with_tz`, (time: CelTimestamp, zone: string) => BigInt(read(dateOf(time, zone)))],
]);
const onDurations = Object.entries(DURATION_UNITS).map(([name, unit]): [string, CelFunction] => [
  `duration_${name}`,
  ({ nanos }: CelDuration) => nanos / (unit * MILLI),
]);

export const TIME_FUNCTIONS: Readonly<Record<string, CelFunction>> = Object.fromEntries([
  ...onTimestamps,
  ...onDurations,
]);
