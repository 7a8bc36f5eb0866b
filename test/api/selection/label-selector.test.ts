import { describe, expect, test } from '@jest/globals';
import { formatSelector, matchesSelector, type LabelSelector } from '../../../src/api/selection/label-selector.js';

describe('matchesSelector', () => {
  test.each<[string, LabelSelector, Record<string, string> | undefined, boolean]>([
    ['an empty selector matches anything', {}, undefined, true],
    ['a label of another value does not match', { matchLabels: { a: '1' } }, { a: '2' }, false],
    ['every label must match', { matchLabels: { a: '1', b: '2' } }, { a: '1' }, false],
    [
      'In needs one of the values',
      { matchExpressions: [{ key: 'a', operator: 'In', values: ['1', '2'] }] },
      { a: '2' },
      true,
    ],
    ['NotIn matches a missing label', { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] }, {}, true],
    ['Exists takes an empty value', { matchExpressions: [{ key: 'a', operator: 'Exists' }] }, { a: '' }, true],
    ['DoesNotExist', { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, { a: '' }, false],
    ['an inherited name is not a label', { matchExpressions: [{ key: 'toString', operator: 'Exists' }] }, {}, false],
  ])('matchesSelector compares labels as Kubernetes does: %s', (_title, selector, labels, expected) => {
    expect(matchesSelector(selector, labels)).toBe(expected);
  });

  test('an unknown operator of a selector is an error that contains it', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'Near' }] } as unknown as LabelSelector;
    expect(() => matchesSelector(selector, {})).toThrow('unknown label selector operator Near');
  });
});

test('formatSelector writes a selector in the syntax of the API', () => {
  const matchExpressions: LabelSelector['matchExpressions'] = [
    { key: 'b', operator: 'In', values: ['1', '2'] },
    { key: 'c', operator: 'NotIn', values: ['3'] },
    { key: 'd', operator: 'Exists' },
    { key: 'e', operator: 'DoesNotExist' },
  ];
  expect(formatSelector({ matchLabels: { a: '0' }, matchExpressions })).toBe('a=0,b in (1,2),c notin (3),d,!e');
});
