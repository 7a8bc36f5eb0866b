import { expect, test } from '@jest/globals';
import { FailureCounter } from '../../../src/controller/run/failure-counter.js';

test('FailureCounter counts consecutive failures by key and recognizes repeated messages', () => {
  const counter = new FailureCounter();
  expect(counter.failed('a', new Error('one'))).toEqual({ attempt: 1, isRepeated: false });
  expect(counter.failed('a', new Error('one'))).toEqual({ attempt: 2, isRepeated: true });
  expect(counter.failed('a', new Error('two'))).toEqual({ attempt: 3, isRepeated: false });
  expect(counter.failed('b', new Error('two'))).toEqual({ attempt: 1, isRepeated: false });
  counter.succeeded('a');
  expect(counter.count('a')).toBe(0);
  expect(counter.failed('a', new Error('two'))).toEqual({ attempt: 1, isRepeated: false });
});
