import { expect, test } from '@jest/globals';
import { base64ErrorOffset } from '../../../src/apiserver/schema/go-scalar.js';

test.each([
  ['', undefined],
  ['YWJj', undefined],
  ['YQ==', undefined],
  ['YW\nJj\r\n', undefined],
  ['YQ=\n=\n', undefined],
  ['YWI=', undefined],
  ['Y', 0],
  ['YWJjY', 4],
  ['YWJjYW', 4],
  ['YW*j', 2],
  ['Y===', 1],
  ['=', 0],
  ['YQ=', 3],
  ['YQ=x', 2],
  ['YQ=\nx', 3],
  ['YWJ==', 4],
  ['YQ==YQ==', 4],
  ['YWJjYWJ=x', 8],
])('the invalid byte of base64 is the one that Go reports: %j', (encoded, byte) => {
  expect(base64ErrorOffset(encoded)).toBe(byte);
});
