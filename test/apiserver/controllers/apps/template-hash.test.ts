import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { templateHash } from '../../../../src/apiserver/controllers/apps/template-hash.js';

test.each([
  // rand.SafeEncodeString(fmt.Sprint(sum)) of Go, for New32a of hash/fnv
  ['', '65bb57b6b5'],
  ['a', '7d6b446664'],
  ['foobar', '7658c79c64'],
  ['größe', '78874b5f58'],
])('the hash of %j is %s', (seed, hash) => {
  expect(templateHash(seed)).toBe(hash);
});

test('a hash has only the characters of names that Kubernetes generates', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (seed) =>
      /^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/.test(templateHash(seed)),
    ),
  );
});
