import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { giveInput } from './give-input.js';

test('a process that ends without reading its input does not count as failed', async () => {
  const ending = promisify(execFile)(process.execPath, ['-e', 'require("fs").closeSync(0); console.log("done")']);
  await once(ending.child.stdout!, 'data');
  giveInput(ending.child, 'x'.repeat(1_000_000));
  expect((await ending).stdout).toBe('done\n');
});

test('a process reads its input', async () => {
  const ending = promisify(execFile)(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)']);
  giveInput(ending.child, 'given');
  expect((await ending).stdout).toBe('given');
});
