const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/** Any character may stand before the fraction: strfmt's pattern has an unescaped dot. */
const TIME = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a text is a day of the calendar, `2026-02-28`. */
export function isDate(text: string): boolean {
  const [year, month, day] = DATE.exec(text)?.slice(1).map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** Whether a text is a date and time of RFC 3339, as strfmt takes it: of the zone only the digits count. */
export function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [hour = 24, minute = 60, second = 60] = TIME.exec(time)?.slice(1).map(Number) ?? [];
  return isDate(date) && hour < 24 && minute < 60 && second < 60;
}
