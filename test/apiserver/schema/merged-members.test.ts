import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasDuplicates } from '../../../src/apiserver/schema/duplicate-keys.js';
import { mergedMembers } from '../../../src/apiserver/schema/merged-members.js';

test('what stands twice is read into the same field, as by Go', () => {
  const text = '{"a":{"b":1,"c":{"d":2}},"e":[1],"a":{"c":{"f":3}},"e":[4,5],"g":{"h":1},"g":null}';
  expect(mergedMembers(text)).toEqual({ a: { b: 1, c: { d: 2, f: 3 } }, e: [4, 5], g: { h: 1 } });
});

test('an integer that no double holds stays what it is', () => {
  expect(mergedMembers('{"a":9007199254740993}')).toEqual({ a: 9007199254740993n });
});

test('JSON without anything twice is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      expect(mergedMembers(spaced)).toEqual(JSON.parse(spaced));
      expect(hasDuplicates(spaced)).toBe(false);
    }),
  );
});
