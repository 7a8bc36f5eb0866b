import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasDuplicates, mergedMembers } from '../../../src/apiserver/schema/duplicate-keys.js';

test('duplicate members are merged into one field, as by the Go decoder', () => {
  const text = '{"a":{"b":1,"c":{"d":2}},"e":[1],"a":{"c":{"f":3}},"e":[4,5],"g":{"h":1},"g":null}';
  expect(mergedMembers(text)).toEqual({ a: { b: 1, c: { d: 2, f: 3 } }, e: [4, 5], g: { h: 1 } });
});

test('mergedMembers keeps integers that a double cannot represent', () => {
  expect(mergedMembers('{"a":9007199254740993}')).toEqual({ a: 9007199254740993n });
});

test('mergedMembers equals JSON.parse for JSON without duplicate members', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      expect(mergedMembers(spaced)).toEqual(JSON.parse(spaced));
      expect(hasDuplicates(spaced)).toBe(false);
    }),
  );
});
