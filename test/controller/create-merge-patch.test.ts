import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deepEqual } from '../../src/base/deep-equal.js';
import { ownMember } from '../../src/base/own-member.js';
import { setMember } from '../../src/base/set-member.js';
import { createMergePatch } from '../../src/controller/create-merge-patch.js';

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
  test('turns the one into the other, for any two objects', () => {
    fc.assert(
      fc.property(tree, tree, (from, to) => {
        const patch = createMergePatch(from, to);
        expect(deepEqual(patch === undefined ? from : applyPatch(from, patch), to)).toBe(true);
      }),
    );
  });

  test('has nothing to change after it was applied, for any two objects with nulls', () => {
    fc.assert(
      fc.property(treeWithNulls, treeWithNulls, (from, to) => {
        const patch = createMergePatch(from, to);
        const after = patch === undefined ? from : applyPatch(from, patch);
        expect(createMergePatch(after, to)).toBeUndefined();
      }),
    );
  });

  test('does not set a member that is null and absent', () => {
    expect(createMergePatch({ phase: 'Ready' }, { phase: 'Ready', lastError: null })).toBeUndefined();
    expect(createMergePatch({ lastError: 'x' }, { lastError: null })).toEqual({ lastError: null });
  });

  test('is nothing for equal values', () => {
    expect(createMergePatch({ nodes: ['a'], at: { b: 1 } }, { at: { b: 1 }, nodes: ['a'] })).toBeUndefined();
  });

  test('holds only what differs', () => {
    expect(createMergePatch({ a: 1, b: { c: 1, d: 2 } }, { a: 1, b: { c: 1, d: 3 } })).toEqual({ b: { d: 3 } });
  });

  test('takes names of what every object inherits for ordinary ones', () => {
    expect(createMergePatch({}, { toString: 'x' })).toEqual({ toString: 'x' });
    expect(createMergePatch({ toString: 'x' }, {})).toEqual({ toString: null });
    expect(JSON.stringify(createMergePatch({}, JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
  });

  test('removes a member that is undefined', () => {
    expect(createMergePatch({ a: 1, b: 2 }, { a: undefined, b: 2 })).toEqual({ a: null });
  });

  test('replaces lists whole', () => {
    expect(createMergePatch({ nodes: ['a', 'b'] }, { nodes: ['a'] })).toEqual({ nodes: ['a'] });
  });
});
