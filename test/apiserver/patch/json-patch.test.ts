import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonPatch } from '../../../src/apiserver/patch/json-patch.js';
import { JsonPatchError } from '../../../src/apiserver/patch/json-patch-error.js';
import { parseJsonPatch } from '../../../src/apiserver/patch/json-patch-operations.js';
import { JSON_PATCHES, PATCHED_SPEC } from '../../fidelity/json-patches.js';

const patched = (target: Record<string, unknown>, ...operations: object[]): unknown =>
  jsonPatch(target, parseJsonPatch(JSON.stringify(operations), true).operations);

describe('a JSON patch', () => {
  test.each([
    ['counts negative indices from the end', { op: 'replace', path: '/list/-1', value: 'c' }, { list: ['a', 'c'] }],
    ['adds at -1 behind the last element', { op: 'add', path: '/list/-1', value: 'c' }, { list: ['a', 'b', 'c'] }],
    ['replaces a member that is missing', { op: 'replace', path: '/new', value: 1 }, { list: ['a', 'b'], new: 1 }],
    ['copies a missing member as null', { op: 'copy', from: '/no', path: '/new' }, { list: ['a', 'b'], new: null }],
    ['finds null where a member is missing', { op: 'test', path: '/no', value: null }, { list: ['a', 'b'] }],
    ['ignores text before the first slash', { op: 'remove', path: 'x/list/0' }, { list: ['b'] }],
  ])('a JSON patch is applied: %s', (_title, operation, result) => {
    expect(patched({ list: ['a', 'b'] }, operation)).toEqual(result);
  });

  // The errors for patches of webhooks, as in patch.go of evanphx/json-patch.
  test.each([
    [
      { op: 'add', path: '/no/a', value: 1 },
      'add operation does not apply: doc is missing path: "/no/a": missing value',
    ],
    [
      { op: 'add', path: '/list/3', value: 1 },
      "error in add for path: '/list/3': Unable to access invalid index: 3: invalid index referenced",
    ],
    [
      { op: 'remove', path: '/no' },
      "error in remove for path: '/no': Unable to remove nonexistent key: no: missing value",
    ],
    [
      { op: 'replace', path: '/list/9', value: 1 },
      'replace operation does not apply: doc is missing key: /list/9: missing value',
    ],
    [
      { op: 'copy', from: '/list/x', path: '/new' },
      `error in copy for from: '/list/x': strconv.Atoi: parsing "x": invalid syntax`,
    ],
    [
      { op: 'move', path: '/new' },
      'move operation failed to decode from: operation, missing from field: missing value',
    ],
    [{ op: 'test', path: '/list/0', value: 'z' }, 'testing value /list/0 failed: test failed'],
    [{ op: 'merge', path: '/list' }, 'Unexpected kind: merge'],
  ])('the error of a JSON patch contains why %j does not apply', (operation, why) => {
    expect(() => patched({ list: ['a', 'b'] }, operation)).toThrow(why);
  });

  test('a JSON patch sets a member named __proto__ like any other', () => {
    const result = patched({}, { op: 'add', path: '/__proto__', value: { polluted: true } });
    expect([Object.keys(result as object), (result as { polluted?: boolean }).polluted]).toEqual([
      ['__proto__'],
      undefined,
    ]);
  });

  test('a JSON patch does not change its input, and copies values', () => {
    const target = { a: { b: 1 } };
    const copy = { op: 'copy', from: '/a', path: '/c' };
    expect(patched(target, copy, { op: 'replace', path: '/c/b', value: 2 })).toEqual({ a: { b: 1 }, c: { b: 2 } });
    expect(target).toEqual({ a: { b: 1 } });
  });

  test('a JSON patch has the same result when it is applied again after a conflict', () => {
    const text = '[{"op":"add","path":"/new","value":{"list":[]}},{"op":"add","path":"/new/list/-","value":1}]';
    const { operations } = parseJsonPatch(text, true);
    const [once, again] = [1, 2].map(() => JSON.stringify(jsonPatch({}, operations)));
    expect([once, again]).toEqual(['{"new":{"list":[1]}}', '{"new":{"list":[1]}}']);
  });

  test('every JSON patch either changes the object or is rejected', () => {
    const paths = JSON_PATCHES.flatMap(([, steps]) => (Array.isArray(steps) ? (steps as unknown[]) : []))
      .map((step) => (step as { path?: unknown } | null)?.path)
      .filter((path) => typeof path === 'string');
    const operation = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
      path: fc.constantFrom(...paths),
      from: fc.constantFrom(...paths),
      value: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 6 }), (operations) => {
        try {
          patched({ kind: 'Any', spec: PATCHED_SPEC }, ...operations);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonPatchError);
        }
      }),
    );
  });
});

describe('copies', () => {
  test('copies of copies are rejected before they fill the memory', () => {
    const doubling = Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '/a', path: `/a/${index}` }));
    expect(() => patched({ a: { text: 'x'.repeat(100) } }, ...doubling)).toThrow(
      /^Unable to complete the copy, the accumulated size increase of copy is \d{7}, exceeding the limit 3145728$/,
    );
  });
});

describe('reading a JSON patch', () => {
  test('decoding a JSON patch reports unknown and duplicate fields', () => {
    const text = '[{"op":"add","path":"/a","value":1,"value":2,"why":3}]';
    expect(parseJsonPatch(text, true).problems).toEqual([
      'json patch duplicate field "[0].value"',
      'json patch unknown field "[0].why"',
    ]);
    expect(parseJsonPatch(text, false).problems).toEqual([]);
  });

  test('a JSON patch with more than 10,000 operations is rejected', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'remove', path: '/a' }));
    expect(() => parseJsonPatch(JSON.stringify(operations), true)).toThrow(
      'The allowed maximum operations in a JSON patch is 10000, got 10001',
    );
  });
});
