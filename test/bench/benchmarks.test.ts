import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { limitTests } from '../time-limits.js';

limitTests(60_000);

const bench = join(import.meta.dirname, '..', '..', 'bench');

// The benchmarks that need neither Go, cargo nor a control plane, with few objects.
test.each([
  ['scale.ts', [], { PODS: '5', CONTROLLERS: '2' }, '2 controllers: each has reconciled its object'],
  ['cache-memory.ts', [], { PODS: '20', ONLY: 'kindwright' }, 'metadata only, kindwright: 20 objects'],
  ['http-client.ts', ['--objects', '20', '--writes', '20', '--rounds', '1'], {}, 'paged list: memory after it'],
])('the benchmark %s runs', async (file, args, env, result) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(bench, file), ...args], {
    env: { PATH: process.env['PATH'], ...env },
  });
  expect(stdout).toContain(result);
});
