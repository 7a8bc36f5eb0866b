import { expect, test } from '@jest/globals';
import { parseCronSchedule } from '../../../../src/apiserver/controllers/batch/cron-schedule.js';

const next = (schedule: string, after: string, timeZone?: string): string | undefined => {
  const time = parseCronSchedule(schedule, timeZone)?.next(Date.parse(after));
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 16);
};

test.each([
  ['*/5 * * * *', '2026-01-01T00:05:00Z', '2026-01-01T00:10'],
  ['30 3 * * *', '2026-01-01T03:30:00Z', '2026-01-02T03:30'],
  ['0 9-17/4 * * mon-fri', '2026-01-02T17:00:00Z', '2026-01-05T09:00'],
  ['0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00'],
  ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00'],
  ['0 0 * jan,mar 0', '2026-01-26T00:00:00Z', '2026-03-01T00:00'],
  // A step makes the days a restriction, so that either of day and weekday is enough.
  ['0 0 */2 * 1', '2026-01-01T00:00:00Z', '2026-01-03T00:00'],
  ['0 0 */1 * 1', '2026-01-01T00:00:00Z', '2026-01-05T00:00'],
  ['0 0 ? * 1', '2026-01-01T00:00:00Z', '2026-01-05T00:00'],
  ['@every 1h30m', '2026-01-01T00:00:07Z', '2026-01-01T01:30'],
  ['@monthly', '2026-01-01T00:00:00Z', '2026-02-01T00:00'],
])('the schedule %s has after %s the next time %s', (schedule, after, expected) => {
  expect(next(schedule, after)).toBe(expected);
});

test.each([
  '',
  '* * * *',
  '60 * * * *',
  '5-1 * * * *',
  '*/0 * * * *',
  'a * * * *',
  '* * 0 * *',
  '* * * * 7',
  '@every x',
])('the schedule "%s" is invalid', (text) => {
  expect(parseCronSchedule(text)).toBeUndefined();
});

test('a schedule of a day that never comes has no next time', () => {
  expect(next('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined();
});

test.each([
  ['0 9 * * *', 'Europe/Berlin', '2026-01-01T08:00:00Z', '2026-01-02T08:00'],
  ['0 9 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', '2026-01-01T03:30'],
  ['0 0 1 * *', 'America/New_York', '2026-01-31T23:00:00Z', '2026-02-01T05:00'],
  ['0 0 1 1 *', 'Pacific/Kiritimati', '2026-06-01T00:00:00Z', '2026-12-31T10:00'],
])('the schedule %s in %s has after %s the next time %s', (schedule, zone, after, expected) => {
  expect(next(schedule, after, zone)).toBe(expected);
});

test('a CronJob skips runs in an hour that daylight saving skips, and runs twice in a repeated hour', () => {
  expect(next('30 2 * * *', '2026-03-28T23:00:00Z', 'Europe/Berlin')).toBe('2026-03-30T00:30');
  expect(next('30 2 * * *', '2026-10-24T23:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T00:30');
  expect(next('30 2 * * *', '2026-10-25T00:30:00Z', 'Europe/Berlin')).toBe('2026-10-25T01:30');
});
