import { afterEach, describe, expect, test } from '@jest/globals';
import { assertSingleInstance } from '../../../src/resource/instances/single-instance.js';

const { [Symbol.for('kindwright.copies')]: copies } = globalThis as unknown as Record<symbol, Set<string>>;
const other = 'file:///other/node_modules/kindwright/dist/resource/single-instance.js';

afterEach(() => {
  copies?.delete(other);
});

describe('assertSingleInstance', () => {
  test('one copy of the package is accepted', () => {
    expect(assertSingleInstance).not.toThrow();
  });

  test('the error for two copies of the package contains their paths', () => {
    copies?.add(other);
    expect(assertSingleInstance).toThrow(/loaded 2 times:\n.*\n {2}file:\/\/\/other\/node_modules\/kindwright\/dist$/);
  });
});
