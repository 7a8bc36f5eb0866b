import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deepEqual } from '../../../src/base/deep-equal.js';
import { ownMember } from '../../../src/base/own-member.js';
import { setMember } from '../../../src/base/set-member.js';
import { createMergePatch } from '../../../src/controller/write/create-merge-patch.js';

/** RFC 7386, section 2, as written there. */
function applyPatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result: Record<string, unknown> = isObject ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, key);
    else setMember(result, key, applyPatch(ownMember(result, key), value));
  }
  return result;
}

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.integer(), { maxLength: 3 }));
const treeOf = (leaves: fc.Arbitrary<unknown>) =>
  fc.letrec((tie) => ({
    tree: fc.dictionary(
      fc.constantFrom('a', 'b', 'toString', '__proto__'),
      fc.oneof({ maxDepth: 3 }, leaves, tie('tree')),
      { noNullPrototype: true },
    ),
  })).tree;
const tree = treeOf(leaf);
const treeWithNulls = treeOf(fc.oneof(leaf, fc.constant(null)));

describe('mergePatch', () => {
  test('the merge patch between any two objects turns one into the other', () => {
    fc.assert(
      fc.property(tree, tree, (from, to) => {
        const patch = createMergePatch(from, to);
        expect(deepEqual(patch === undefined ? from : applyPatch(from, patch), to)).toBe(true);
      }),
    );
  });

  test('the merge patch after an applied one is empty, for any two objects with nulls', () => {
    fc.assert(
      fc.property(treeWithNulls, treeWithNulls, (from, to) => {
        const patch = createMergePatch(from, to);
        const after = patch === undefined ? from : applyPatch(from, patch);
        expect(createMergePatch(after, to)).toBeUndefined();
      }),
    );
  });

  test('a merge patch does not set a member that is null and absent', () => {
    expect(createMergePatch({ phase: 'Ready' }, { phase: 'Ready', lastError: null })).toBeUndefined();
    expect(createMergePatch({ lastError: 'x' }, { lastError: null })).toEqual({ lastError: null });
  });

  test('there is no merge patch between equal values', () => {
    expect(createMergePatch({ nodes: ['a'], at: { b: 1 } }, { at: { b: 1 }, nodes: ['a'] })).toBeUndefined();
  });

  test('a merge patch contains only differences', () => {
    expect(createMergePatch({ a: 1, b: { c: 1, d: 2 } }, { a: 1, b: { c: 1, d: 3 } })).toEqual({ b: { d: 3 } });
  });

  test('a merge patch treats names of Object.prototype like others', () => {
    expect(createMergePatch({}, { toString: 'x' })).toEqual({ toString: 'x' });
    expect(createMergePatch({ toString: 'x' }, {})).toEqual({ toString: null });
    expect(JSON.stringify(createMergePatch({}, JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
  });

  test('a merge patch removes a member that is undefined', () => {
    expect(createMergePatch({ a: 1, b: 2 }, { a: undefined, b: 2 })).toEqual({ a: null });
  });

  test('a merge patch replaces lists as a whole', () => {
    expect(createMergePatch({ nodes: ['a', 'b'] }, { nodes: ['a'] })).toEqual({ nodes: ['a'] });
  });
});
