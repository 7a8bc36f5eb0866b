import { expect, test } from '@jest/globals';
import type { ReadonlyDeep } from '../../../src/api/objects/kube-object.js';

type Untyped = ReturnType<typeof JSON.parse>;
type IsUntyped<T> = 0 extends 1 & T ? true : false;

test('the read-only type of an untyped value is untyped', () => {
  const isUntyped: IsUntyped<ReadonlyDeep<Untyped>> = true;
  const isMemberUntyped: IsUntyped<ReadonlyDeep<{ member: Untyped }>['member']> = true;
  const isKnown: IsUntyped<ReadonlyDeep<unknown>> = false;
  expect([isUntyped, isMemberUntyped, isKnown]).toEqual([true, true, false]);
});
