import { expect, test } from '@jest/globals';
import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownMutants } from './own-mutants.js';

const root = join(import.meta.dirname, '..', '..');

test('kindwright has 16 mutants, numbered from 1', () => {
  const expected = Array.from({ length: 16 }, (_, index) => `k${String(index + 1).padStart(2, '0')}`);
  expect(ownMutants.map(({ id }) => id)).toEqual(expected);
});

test.each(ownMutants)('$id: its text occurs once in $file, and what replaces it compiles', ({ file, ...mutant }) => {
  const source = readFileSync(join(root, file), 'utf8');
  const parts = source.split(mutant.text);
  expect(parts).toHaveLength(2);
  const changed = parts.join(mutant.replacement);
  expect(changed).not.toBe(source);
  expect(() => transformSync(changed, { jsc: { parser: { syntax: 'typescript', decorators: true } } })).not.toThrow();
});
