import { expect, test } from '@jest/globals';
import { isPodActive } from '../../../src/api/objects/is-pod-active.js';
import type { Pod } from '../../../src/api/kinds/kinds.js';

const pod = (phase: string, deletionTimestamp?: string): Pod =>
  ({ metadata: { name: 'p', deletionTimestamp }, status: { phase } }) as Pod;

test.each([
  ['Pending', true],
  ['Running', true],
  ['Unknown', true],
  ['Succeeded', false],
  ['Failed', false],
])('a pod in phase %s is active: %s', (phase, isActive) => {
  expect(isPodActive(pod(phase))).toBe(isActive);
});

test('a pod that is being deleted is not active', () => {
  expect(isPodActive(pod('Running', '2026-01-01T00:00:00Z'))).toBe(false);
});
