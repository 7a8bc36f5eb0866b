import { describe, expect, test } from '@jest/globals';
import { OperatorError } from '../../../src/base/operator-error.js';
import { toLoadError } from '../../../src/cli/loader/load-error.js';

const FILE = '/project/operators/a.ts';
const isOwn = (path: string) => path.startsWith('/project/operators/');

function withStack(message: string, stack: string): Error {
  return Object.assign(new Error(message), { stack });
}

describe('toLoadError', () => {
  test('names the innermost line that is of the user', () => {
    const stack = `Error: boom\n    at f (/project/node_modules/x/x.js:1:1)\n    at g (${FILE}:12:3)\n    at ${FILE}:20:1`;
    expect(toLoadError(withStack('boom', stack), FILE, isOwn).message).toBe(`${FILE}:12: boom`);
  });

  test("an error without a line of the user's modules names the file", () => {
    expect(toLoadError(withStack('boom', 'Error: boom'), FILE, isOwn).message).toBe(`${FILE}: boom`);
  });

  test('reads the place of a failed import from the first line', () => {
    const message = "The requested module 'kindwright' does not provide an export named 'Labelled'";
    const error = withStack(message, `file://${FILE}:3\nimport { Labelled } from 'kindwright';\n         ^\n`);
    expect(toLoadError(error, FILE, isOwn)).toMatchObject({
      message: `${FILE}:3: ${message}`,
      hint: 'if Labelled is only a type, import it as one: import { type Labelled } from …',
    });
  });

  test('the hint for a missing package is npm install', () => {
    const error = withStack(`Cannot find package 'lodash' imported from ${FILE}`, '');
    expect(toLoadError(error, FILE, isOwn).hint).toBe('npm install lodash');
  });

  test('the error for a class used before its declaration has a hint', () => {
    const error = withStack("Cannot access 'Part' before initialization", '');
    expect(toLoadError(error, FILE, isOwn).hint).toBe('move Part above, or into a file that does not import this one');
  });

  test('leaves an error that explains itself as it is', () => {
    const error = new OperatorError('explained', { code: 'E_SYNTAX' });
    expect(toLoadError(error, FILE, isOwn)).toBe(error);
  });

  test.each([
    ['text', 'text'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('takes a thrown %j', (thrown, message) => {
    expect(toLoadError(thrown, FILE, isOwn).message).toBe(`${FILE}: ${message}`);
  });
});
