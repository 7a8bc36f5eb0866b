import { expect, test } from '@jest/globals';
import { assertTimeout } from '../../../../src/apiserver/transport/request/request-guard.js';

test.each(['', '0', '0s', '1m30s', '1.5h', '.5s', '-1s', '3µs'])('the timeout %p is accepted', (timeout) => {
  expect(() => assertTimeout(new URLSearchParams({ timeout }))).not.toThrow();
});

test.each([
  ['5', 'missing unit in duration "5"'],
  ['5d', 'unknown unit "d" in duration "5d"'],
  ['soon', 'invalid duration "soon"'],
])('the timeout %p is rejected', (timeout, why) => {
  expect(() => assertTimeout(new URLSearchParams({ timeout }))).toThrow(
    `invalid timeout specified in the request URL - time: ${why}`,
  );
});
