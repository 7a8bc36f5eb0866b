import { expect, test } from '@jest/globals';
import { CronSchedule } from '../../../../src/apiserver/controllers/batch/cron-schedule.js';

const next = (schedule: string, after: string): string | undefined => {
  const time = CronSchedule.parse(schedule)?.next(Date.parse(after));
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 16);
};

test.each([
  ['*/5 * * * *', '2026-01-01T00:05:00Z', '2026-01-01T00:10'],
  ['30 3 * * *', '2026-01-01T03:30:00Z', '2026-01-02T03:30'],
  ['0 9-17/4 * * mon-fri', '2026-01-02T17:00:00Z', '2026-01-05T09:00'],
  ['0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00'],
  ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00'],
  ['0 0 * jan,mar 7', '2026-01-26T00:00:00Z', '2026-03-01T00:00'],
  ['@monthly', '2026-01-01T00:00:00Z', '2026-02-01T00:00'],
])('%s comes after %s at %s', (schedule, after, expected) => {
  expect(next(schedule, after)).toBe(expected);
});

test.each(['', '* * * *', '60 * * * *', '5-1 * * * *', '*/0 * * * *', 'a * * * *', '* * 0 * *'])(
  '"%s" is no schedule',
  (text) => {
    expect(CronSchedule.parse(text)).toBeUndefined();
  },
);

test('a day that never comes has no next time', () => {
  expect(next('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined();
});
