import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mapStackTraces } from '../../../src/cli/bundled/map-stack-traces.js';

const { prepareStackTrace } = Error;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kindwright-maps-'));
  mapStackTraces();
});
afterEach(() => {
  Error.prepareStackTrace = prepareStackTrace;
  rmSync(folder, { recursive: true });
});

/** The second frame of a stack trace whose call is at line 1 and column 7 of a module. */
function frameOf(name: string): string {
  const frame = {
    getScriptNameOrSourceURL: () => `file://${join(folder, name)}`,
    getLineNumber: () => 1,
    getColumnNumber: () => 7,
    toString: () => `level (file://${join(folder, name)}:1:7)`,
  } as NodeJS.CallSite;
  return String(Error.prepareStackTrace(new Error('too low'), [frame])).split('\n')[1] ?? '';
}

test('a frame names the source line of a module with a map, and keeps the name of the function', () => {
  const map = { version: 3, sources: ['../lib/level.ts'], names: [], mappings: 'AAEI' };
  writeFileSync(join(folder, 'a.mjs.map'), JSON.stringify(map));
  expect(frameOf('a.mjs')).toBe(`    at level (${join(folder, '..', 'lib', 'level.ts')}:3:5)`);
});

test('a frame stays as it is without a map, and with one that cannot be read', () => {
  writeFileSync(join(folder, 'b.mjs.map'), 'no JSON');
  for (const name of ['a.mjs', 'b.mjs']) expect(frameOf(name)).toContain(`${name}:1:7)`);
});

test('the first line has the code of errors of Node, as without maps', () => {
  const error = Object.assign(new TypeError('not a port'), { code: 'ERR_SOCKET_BAD_PORT' });
  expect(Error.prepareStackTrace(error, [])).toBe('TypeError [ERR_SOCKET_BAD_PORT]: not a port');
  expect(Error.prepareStackTrace(new RangeError('too low'), [])).toBe('RangeError: too low');
});
