import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DividedList } from '../../src/base/divided-list.js';

/** Divides a text that arrives in pieces of the lengths; all that is left is the last piece. */
function divide(text: string, lengths: readonly number[], name = 'items', depth = 1) {
  const divided = new DividedList(name, depth);
  const elements: string[] = [];
  let at = 0;
  for (const length of [...lengths, Infinity]) {
    elements.push(...divided.add(text.slice(at, at + length)));
    at = Math.min(text.length, at + length);
  }
  return { elements, rest: divided.rest };
}

const lengths = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 });
const layout = fc.constantFrom(undefined, 1, '\t');

describe('DividedList', () => {
  test('the elements and the rest of any JSON are those of the whole text, in pieces of any length', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    const elements = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(members, elements, members, layout, lengths, (before, items, after, space, cuts) => {
        const { items: _, ...others } = { ...before, ...after };
        const value = { ...before, items, ...others };
        const { elements: found, rest } = divide(JSON.stringify(value, undefined, space), cuts);
        expect(found.map((element) => JSON.parse(element) as unknown)).toEqual(JSON.parse(JSON.stringify(items)));
        expect(JSON.parse(rest)).toEqual({ ...(JSON.parse(JSON.stringify(value)) as object), items: [] });
      }),
    );
  });

  test.each([
    ['a list deeper than that', '{"metadata":{"items":[1,2]}}'],
    ['a member with another name', '{"xitems":[1],"itemsx":[2],"\\"items":[3]}'],
    ['a value that is no list', '{"items":null}'],
    ['a string with the text of a list', '{"a":"\\"items\\":[1,2]"}'],
    ['text that is no object', '[["items",[1,2]]]'],
  ])('%s is not divided', (_what, text) => {
    for (const length of [1, 3, 100]) {
      const cuts = Array.from({ length: Math.ceil(text.length / length) }, () => length);
      expect(divide(text, cuts)).toEqual({ elements: [], rest: text });
    }
  });

  test('a list within other objects is found at its depth', () => {
    const text = '{"objects":[0],"request":{"uid":"u","objects":[{"a":[1,{"b":2}]},{}]},"kind":"Review"}';
    expect(divide(text, [5, 20], 'objects', 2)).toEqual({
      elements: ['{"a":[1,{"b":2}]}', '{}'],
      rest: '{"objects":[0],"request":{"uid":"u","objects":[]},"kind":"Review"}',
    });
  });

  test('text that is not JSON has a part that is not JSON either', () => {
    const texts = [
      '{"items":[1,]}',
      '{"items":[,1]}',
      '{"items":[1 2]}',
      '{"items":[1',
      '{"items":[{"a":]}]}',
      '{"items":[1]',
    ];
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    for (const text of texts) {
      const { elements, rest } = divide(text, [4, 4]);
      expect([text, [...elements, rest].every(isJson)]).toEqual([text, false]);
    }
  });
});
