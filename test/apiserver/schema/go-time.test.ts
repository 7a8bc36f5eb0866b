import { expect, test } from '@jest/globals';
import { LAYOUT, MICRO_LAYOUT, parseGoTime } from '../../../src/apiserver/schema/go-time.js';

const AS = ` as "${LAYOUT}": cannot parse`;

test.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z', '000000'],
  ['2026-01-02T3:04:05.1234567+01:30', '2026-01-02T01:34:05.000Z', '123456'],
  ['2024-02-29T00:00:00,5-00:30', '2024-02-29T00:30:00.000Z', '500000'],
])('a time is parsed as Go parses it: %s', (text, instant, micros) => {
  const read = parseGoTime(text, LAYOUT);
  expect([new Date(read.ms).toISOString(), read.micros]).toEqual([instant, micros]);
});

test.each([
  ['', `${AS} "" as "2006"`],
  ['20x6-01-01T00:00:00Z', `${AS} "20x6-01-01T00:00:00Z" as "2006"`],
  ['2026-1-01T00:00:00Z', `${AS} "1-01T00:00:00Z" as "01"`],
  ['2026-01-,01T00:00:00Z', `${AS} ",01T00:00:00Z" as "02"`],
  ['2026-01-01 00:00:00Z', `${AS} " 00:00:00Z" as "T"`],
  ['2026-01-01T00:00:00', `${AS} "" as "Z07:00"`],
  ['2026-13-01T00:00:00Z', ': month out of range'],
  ['2026-02-30T00:00:00Z', ': day out of range'],
  ['2026-01-01T25:00:00Z', ': hour out of range'],
  ['2026-01-01T00:61:00Z', ': minute out of range'],
  ['2026-01-01T00:00:00+25:00', ': time zone offset hour out of range'],
  ['2026-01-01T00:00:00Zx', ': extra text: "x"'],
])('an invalid time is rejected with the message of Go: %j', (text, why) => {
  expect(() => parseGoTime(text, LAYOUT)).toThrow(new Error(`parsing time ${JSON.stringify(text)}${why}`));
});

test('a time of microseconds has all six digits of them', () => {
  expect(() => parseGoTime('2026-01-01T00:00:00.123Z', MICRO_LAYOUT)).toThrow('cannot parse ".123Z" as ".000000"');
});
