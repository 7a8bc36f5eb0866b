import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { silentLogger } from '../../src/base/logger.js';
import { RunningConsoleFile, runningConsoles } from '../../src/console/running-console-file.js';

const CONSOLE = { url: 'http://127.0.0.1:4191', token: 'secret-token', pid: process.pid, operator: 'podset' };

let env: NodeJS.ProcessEnv;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kindwright-runtime-'));
  env = { XDG_RUNTIME_DIR: folder };
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('a page that only the user can read leads a browser to the console, until it is closed', () => {
  const file = RunningConsoleFile.write(CONSOLE, silentLogger, env);
  const path = file?.writeRedirect() ?? '';
  expect(path).not.toContain(CONSOLE.token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toContain('content="0; url=http://127.0.0.1:4191/#t=secret-token"');
  expect(runningConsoles(env)).toEqual([CONSOLE]);
  file?.remove();
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('the files of a killed process are removed', () => {
  const path = RunningConsoleFile.write({ ...CONSOLE, pid: 2 ** 22 + 1 }, silentLogger, env)?.writeRedirect() ?? '';
  expect(runningConsoles(env)).toEqual([]);
  expect(readdirSync(dirname(path))).toEqual([]);
});
