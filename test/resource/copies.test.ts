import { afterEach, describe, expect, test } from '@jest/globals';
import { assertSingleInstance } from '../../src/resource/copies.js';

const { [Symbol.for('kindwright.copies')]: copies } = globalThis as unknown as Record<symbol, Set<string>>;
const other = 'file:///other/node_modules/kindwright/dist/resource/copies.js';

afterEach(() => {
  copies?.delete(other);
});

describe('assertSingleInstance', () => {
  test('is content with one copy of the package', () => {
    expect(assertSingleInstance).not.toThrow();
  });

  test('names the places of two', () => {
    copies?.add(other);
    expect(assertSingleInstance).toThrow(/loaded 2 times:\n.*\n {2}file:\/\/\/other\/node_modules\/kindwright\/dist$/);
  });
});
