import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

const MODULE = pathToFileURL(join(import.meta.dirname, '..', '..', 'src', 'cli', 'limit-new-space.ts')).href;

/** Keeps objects of many turns, and prints the largest size of the space for new ones in MB. */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setImmediate as nextTurn } from 'node:timers/promises';
  import { limitNewSpace } from ${JSON.stringify(MODULE)};
  const stop = limitNewSpace();
  let largest = 0;
  let kept = [];
  for (let turn = 0; turn < 400; turn++) {
    for (let i = 0; i < 2000; i++) kept.push({ turn, items: [i, i, i, i], text: 'x' + i });
    if (kept.length > 300_000) kept = [];
    const { space_size: size } = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    largest = Math.max(largest, size / 1048576);
    await nextTurn();
  }
  stop();
  console.log(largest);
`;

function largestNewSpace(options?: string): number {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const args = ['--no-warnings', '--input-type=module', '--eval', PROGRAM];
  const variables = { ...env, ...(options !== undefined && { NODE_OPTIONS: options }) };
  return Number(execFileSync(process.execPath, args, { env: variables, encoding: 'utf8' }));
}

test('the memory for new objects of an operator is limited without an option of Node', () => {
  expect(largestNewSpace()).toBeLessThan(24);
});

test('a size that the user has set remains', () => {
  expect(largestNewSpace('--max-semi-space-size=24')).toBeGreaterThan(24);
});
