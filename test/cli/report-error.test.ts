import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { OperatorError } from '../../src/base/operator-error.js';
import { exitCodeFor, reportError } from '../../src/cli/report-error.js';

const written: string[] = [];
jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
  written.push(String(text));
  return true;
});
afterEach(() => {
  written.length = 0;
});

const report = (error: unknown, isVerbose = false) => {
  reportError(error, { isVerbose });
  return written.join('');
};

describe('reportError', () => {
  test('writes message and hint, each line of the hint under the first', () => {
    const error = new OperatorError('it is wrong', { code: 'E_X', hint: 'do this\nthen that' });
    expect(report(error)).toBe('error: it is wrong\n  hint: do this\n        then that\n');
  });

  test('shows no stack unless asked for', () => {
    const error = new OperatorError('it is wrong', { code: 'E_X', cause: new Error('deep down') });
    expect(report(error)).toBe('error: it is wrong\n');
    expect(report(error, true)).toMatch(/deep down[\s\S]*at /);
  });

  test('says of an error that nobody foresaw how to learn more', () => {
    expect(report(new TypeError('x is not a function'))).toMatch(/^error: x is not a function\n {2}hint: .*-v/);
  });

  test.each([['text'], [undefined], [{ a: 1 }]])('takes a thrown %j', (thrown) => {
    expect(report(thrown)).toMatch(/^error: /);
  });
});

describe('exitCodeFor', () => {
  test.each([
    ['E_MODEL', 78],
    ['E_CONFIG', 78],
    ['E_SYNTAX', 78],
    ['E_API', 1],
    ['E_LEASE_LOST', 1],
    ['E_DRIFT', 1],
  ])('is for %s %d', (code, expected) => {
    expect(exitCodeFor(new OperatorError('x', { code }))).toBe(expected);
  });

  test('is 1 for anything else', () => {
    expect(exitCodeFor(new Error('x'))).toBe(1);
  });
});
