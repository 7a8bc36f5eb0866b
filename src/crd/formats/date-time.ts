import { parseDuration } from '../cel/evaluate/duration.js';

const DATE = /^\d{4}-\d\d-\d\d$/;
/** Any character may stand before the fraction: strfmt's pattern has an unescaped dot. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a text is a day of the calendar, `2026-02-28`. */
export function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return DATE.test(text) && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

/** Whether a text is a date and time of RFC 3339, as strfmt takes it: of the zone only the digits count. */
export function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  return isDate(date) && TIME.test(time);
}

const PART = /(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
const UNITS = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'];
/** Whatever goes on like these: `milliseconds`, `hours`, and so `days` and `secretly`. */
const BEGINNINGS = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const MAX = (1n << 63n) - 1n;

/** Whether a text is a duration as strfmt takes it: Go's, or one in which some number has a unit in words. */
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
