import { afterEach, expect, test } from '@jest/globals';
import { randomHex, randomId, randomNumber, replaceRandom } from '../../src/base/random.js';

afterEach(() => {
  replaceRandom(undefined);
});

test('random values have their forms, and differ', () => {
  expect(randomNumber('a')).toBeGreaterThanOrEqual(0);
  expect(randomNumber('a')).toBeLessThan(1);
  expect(randomHex('a', 4)).toMatch(/^[0-9a-f]{8}$/);
  expect(randomId('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(randomId('a')).not.toBe(randomId('a'));
});

test('a replacement gives the values by what they are for, until it is taken back', () => {
  replaceRandom({
    number: (purpose) => purpose.length / 100,
    hex: (purpose, bytes) => purpose.repeat(bytes),
    uuid: (purpose) => `id of ${purpose}`,
  });
  expect([randomNumber('retry'), randomHex('ab', 2), randomId('shard')]).toEqual([0.05, 'abab', 'id of shard']);
  replaceRandom(undefined);
  expect(randomId('shard')).not.toBe('id of shard');
});
