import { describe, expect, test } from '@jest/globals';
import { Pod } from '../../../src/api/kinds/kinds.js';
import { OperatorError } from '../../../src/base/operator-error.js';
import { toLoadError } from '../../../src/cli/loader/load-error.js';

const FILE = '/project/operators/a.ts';
const isOwn = (path: string) => path.startsWith('/project/operators/');

function withStack(message: string, stack: string): Error {
  return Object.assign(new Error(message), { stack });
}

describe('toLoadError', () => {
  test("a load error contains the innermost line of the user's code", () => {
    const stack = `Error: boom\n    at f (/project/node_modules/x/x.js:1:1)\n    at g (${FILE}:12:3)\n    at ${FILE}:20:1`;
    expect(toLoadError(withStack('boom', stack), FILE, isOwn).message).toBe(`${FILE}:12: boom`);
  });

  test("a load error without a line of the user's code contains the file", () => {
    expect(toLoadError(withStack('boom', 'Error: boom'), FILE, isOwn).message).toBe(`${FILE}: boom`);
  });

  test('the position of a failed import is read from the first line of its error', () => {
    const message = "The requested module 'kindwright' does not provide an export named 'Labelled'";
    const error = withStack(message, `file://${FILE}:3\nimport { Labelled } from 'kindwright';\n         ^\n`);
    expect(toLoadError(error, FILE, isOwn)).toMatchObject({
      message: `${FILE}:3: ${message}`,
      hint: 'if Labelled is only a type, import it as one: import { type Labelled } from …',
    });
  });

  test('the hint for a kind imported as a definition is the entry that exports it', () => {
    const message = "The requested module 'kindwright/definitions' does not provide an export named 'Deployment'";
    expect(toLoadError(withStack(message, ''), FILE, isOwn).hint).toBe(
      "import { Deployment } from 'kindwright', which exports each kind once",
    );
  });

  test.each([
    ['joinProbes', 'write joinObservers'],
    ['StructType', "write @Schema({ mapType: 'atomic' })"],
  ])('the hint for an export of an earlier version is its replacement: %s', (name, hint) => {
    const message = `The requested module 'kindwright' does not provide an export named '${name}'`;
    expect(toLoadError(withStack(message, ''), FILE, isOwn).hint).toBe(hint);
  });

  test('the hint for a class that extends a kind of Kubernetes is the controller of that kind', () => {
    const extend = () => class extends (Pod as unknown as new () => object) {};
    const error = (() => {
      try {
        return extend();
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(toLoadError(error, FILE, isOwn).hint).toMatch(/extend ObjectController<Pod>, with @Controller/);
  });

  test('the hint for a missing package is npm install', () => {
    const error = withStack(`Cannot find package 'lodash' imported from ${FILE}`, '');
    expect(toLoadError(error, FILE, isOwn).hint).toBe('npm install lodash');
  });

  test('the hint for a path of tsconfig.json names the imports of package.json', () => {
    const error = withStack(`Cannot find package '@shared/image.js' imported from ${FILE}`, '');
    expect(toLoadError(error, FILE, isOwn).hint).toMatch(/^for a path of tsconfig.json use "imports" in package.json/);
  });

  test('the error for a class used before its declaration has a hint', () => {
    const error = withStack("Cannot access 'Part' before initialization", '');
    expect(toLoadError(error, FILE, isOwn).hint).toBe('move Part above, or into a file that does not import this one');
  });

  test('an error with a hint is not wrapped as a load error', () => {
    const error = new OperatorError('explained', { code: 'E_SYNTAX' });
    expect(toLoadError(error, FILE, isOwn)).toBe(error);
  });

  test.each([
    ['text', 'text'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('a thrown %j becomes a load error', (thrown, message) => {
    expect(toLoadError(thrown, FILE, isOwn).message).toBe(`${FILE}: ${message}`);
  });
});
