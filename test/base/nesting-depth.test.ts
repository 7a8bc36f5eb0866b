import { expect, test } from '@jest/globals';
import { isTooDeep, MAX_DEPTH } from '../../src/base/nesting-depth.js';

const open = '['.repeat(MAX_DEPTH);

test.each([
  ['the limit', `${open}${']'.repeat(MAX_DEPTH)}`],
  ['many levels side by side', `[${'[{}],'.repeat(MAX_DEPTH)}]`],
  ['brackets within a string', `"${open}[\\"["`],
  ['brackets within a string that does not end', `"${open}[`],
])('JSON with %s is not too deep', (_, text) => {
  expect(isTooDeep(text)).toBe(false);
});

test.each([
  ['one level more than the limit', `${open}{`],
  ['levels after a string', `["\\\\",${open}`],
  ['millions of levels', '{"a":'.repeat(3_000_000)],
])('JSON with %s is too deep', (_, text) => {
  expect(isTooDeep(text)).toBe(true);
});
