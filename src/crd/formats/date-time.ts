import { parseDuration } from './duration.js';

const DATE = /^\d{4}-\d\d-\d\d$/;
/** The fraction may follow any character, because strfmt's pattern has an unescaped dot. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reports whether a string is a calendar date, `2026-02-28`. */
export function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return DATE.test(text) && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

/** Reports whether a string is an RFC 3339 date and time for strfmt, which checks only the digits of the time zone. */
export function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  return isDate(date) && TIME.test(time);
}

const PART = /(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
const UNITS = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'];
/** Prefixes of unit names; strfmt accepts any word with such a prefix: `milliseconds`, `hours`, and also `secretly`. */
const BEGINNINGS = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const MAX = (1n << 63n) - 1n;

/**
 * Reports whether a string is a duration for strfmt: a Go duration, or one with at least one unit written as a word.
 */
export function isDuration(text: string): boolean {
  if (parseDuration(text)) return true;
  const parts = [...text.matchAll(PART)].map(
    ([, count = '', unit = '']) => [BigInt(count), unit.toLowerCase()] as const,
  );
  return parts.every(([count]) => count <= MAX) && parts.some(([, unit]) => isUnit(unit));
}

function isUnit(unit: string): boolean {
  return UNITS.includes(unit) || BEGINNINGS.some((beginning) => unit.startsWith(beginning));
}
