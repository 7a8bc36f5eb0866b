import { describe, expect, test } from '@jest/globals';
import { setCondition, setReady, type ConditionLike } from '../../../src/api/objects/condition.js';

const first = '2026-01-01T00:00:00Z';
const later = '2026-01-02T00:00:00Z';
const ready = { type: 'Ready', status: 'True', reason: 'Done', message: '' };

describe('setCondition', () => {
  test('setCondition sets the time of a new condition in whole seconds', () => {
    expect(setCondition(undefined, ready, first)).toEqual([{ ...ready, lastTransitionTime: '2026-01-01T00:00:00Z' }]);
  });

  test('setCondition keeps the transition time if only the message changes', () => {
    const before = setCondition(undefined, ready, first);
    expect(setCondition(before, { ...ready, message: 'still' }, later)[0]?.lastTransitionTime).toBe(
      '2026-01-01T00:00:00Z',
    );
  });

  test('setCondition changes the transition time with the status, and keeps the other conditions', () => {
    const before = setCondition(setCondition(undefined, ready, first), { ...ready, type: 'Other' }, first);
    const after = setCondition(before, { ...ready, status: 'False' }, later);
    expect(after.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['Ready', '2026-01-02T00:00:00Z'],
      ['Other', '2026-01-01T00:00:00Z'],
    ]);
  });
});

test('setReady replaces the condition Ready and keeps the others', () => {
  const other = { ...ready, type: 'Synced', lastTransitionTime: first };
  const status: { conditions?: ConditionLike[] } = { conditions: [other] };
  setReady(status, false, 'Failed', 'no pods');
  setReady(status, true, 'Done', '');
  expect(status.conditions).toMatchObject([other, { type: 'Ready', status: 'True', reason: 'Done', message: '' }]);
});
