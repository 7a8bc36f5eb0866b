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

function withoutFrames<E extends Error>(error: E): E {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

describe('reportError', () => {
  test('an error is printed with its message and hint, each line of the hint below the first', () => {
    const error = withoutFrames(new OperatorError('it is wrong', { code: 'E_X', hint: 'do this\nthen that' }));
    expect(report(error)).toBe('error: it is wrong\n  hint: do this\n        then that\n');
  });

  test('the stack of an error is printed only on request', () => {
    const error = withoutFrames(
      new OperatorError('it is wrong', { code: 'E_X', cause: withoutFrames(new Error('x')) }),
    );
    expect(report(error)).toBe('error: it is wrong\n');
    expect(report(new Error('deep down'), true)).toMatch(/deep down[\s\S]*at /);
  });

  test('the frames of user code of an error or of its cause are printed', () => {
    const cause = new Error('no signal');
    cause.stack = `Error: no signal
    at Function.onStart (${process.cwd()}/operators/gauge.ts:13:11)
    at ${process.cwd()}/operators/gauge.ts:20:1
    at StartHooks.start (${process.cwd()}/node_modules/kindwright/dist/x.js:1:1)
    at node:internal/process:1:1`;
    const error = withoutFrames(new OperatorError('failed', { code: 'E_START', hint: 'fix it', cause }));
    expect(report(error)).toBe(
      'error: failed\n  hint: fix it\n    at Function.onStart (operators/gauge.ts:13:11)\n    at operators/gauge.ts:20:1\n',
    );
  });

  test('escape sequences in texts of servers and definitions do not reach the terminal', () => {
    const error = withoutFrames(
      new OperatorError('\x1b]0;title\x07\x1b[2Jno\u009b1m', { code: 'E_X', hint: '\x1b[8mhint' }),
    );
    expect(report(error)).toBe('error: ]0;title[2Jno1m\n  hint: [8mhint\n');

    expect(report(error, true)).not.toMatch(/[\x1b\x07\x9b]/);
  });

  test('an error that is its own cause is printed', () => {
    const error = withoutFrames(new Error('loop'));
    error.cause = error;
    expect(report(error)).toMatch(/^error: loop\n/);
  });

  test('an unexpected error has a hint about --verbose', () => {
    expect(report(new TypeError('x is not a function'))).toMatch(/^error: x is not a function\n {2}hint: .*-v/);
  });

  test.each([['text'], [undefined], [{ a: 1 }]])('a thrown %j is printed', (thrown) => {
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
  ])('the exit code for %s is %d', (code, expected) => {
    expect(exitCodeFor(new OperatorError('x', { code }))).toBe(expected);
  });

  test('the exit code for other errors is 1', () => {
    expect(exitCodeFor(new Error('x'))).toBe(1);
  });
});
