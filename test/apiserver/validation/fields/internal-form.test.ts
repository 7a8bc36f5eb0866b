import { expect, test } from '@jest/globals';
import { internalEqual } from '../../../../src/apiserver/validation/fields/internal-form.js';

test('an empty list or map equals an absent one', () => {
  expect(internalEqual('core.PodSpec', { containers: [], nodeSelector: {} }, {})).toBe(true);
});

test('an empty struct behind a pointer is present', () => {
  expect(internalEqual('core.Container', { name: 'c', lifecycle: { preStop: {} } }, { name: 'c' })).toBe(false);
});
