import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join(import.meta.dirname, '..', '..', '.ci', 'run');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ci-run-'));
});
afterEach(() => rm(folder, { recursive: true }));

interface Npm {
  cit?: string;
  check?: string;
  durability?: string;
  faults?: string;
  cluster?: string;
}

const passing = (count: number): string =>
  `echo 'Test Suites: 1 passed, 1 total' >&2; echo 'Tests:       ${String(count)} passed, ${String(count)} total' >&2`;

/** Runs .ci/run with an npm that does as given. */
async function run(npm: Npm) {
  const { cit = passing(5), check = 'true', durability = passing(1), faults = passing(3), cluster = passing(2) } = npm;
  const commands = {
    cit,
    'run check': check,
    'run test:durability': durability,
    'run test:faults': faults,
    'run test:cluster': cluster,
  };
  const cases = Object.entries(commands).map(([args, script]) => `'${args}') ${script};;`);
  const executable = ['#!/bin/sh', 'case "$*" in', ...cases, 'esac', ''].join('\n');
  await writeFile(join(folder, 'npm'), executable, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}` };
  const { stdout, status } = spawnSync(script, { env, encoding: 'utf8' });
  return { last: stdout.trimEnd().split('\n').at(-1), status, stdout };
}

describe('.ci/run', () => {
  test('.ci/run adds up the tests of all steps', async () => {
    expect(await run({})).toMatchObject({ last: '11 passed, 0 failed', status: 0 });
  });

  test('.ci/run counts failed tests and continues with the next step', async () => {
    const cit = `echo 'Tests:       2 failed, 3 passed, 5 total'; exit 1`;
    expect(await run({ cit })).toMatchObject({ last: '9 passed, 2 failed', status: 1 });
  });

  test('.ci/run counts a failed check', async () => {
    expect(await run({ check: 'exit 1' })).toMatchObject({ last: '11 passed, 1 failed', status: 1 });
  });

  test('.ci/run counts a skipped test as failed', async () => {
    const cit = `echo 'Tests:       1 skipped, 4 passed, 5 total'`;
    expect(await run({ cit })).toMatchObject({ last: '10 passed, 1 failed', status: 1 });
  });

  test('.ci/run counts a skipped suite as failed', async () => {
    const cluster = `echo 'Test Suites: 1 skipped, 1 passed, 1 of 2 total'; echo 'Tests:       2 passed, 2 total'`;
    expect(await run({ cluster })).toMatchObject({ last: '11 passed, 1 failed', status: 1 });
  });

  test('.ci/run fails when the control plane cannot be built', async () => {
    const cluster = `echo 'Error: Jest: Got error running globalSetup'; exit 1`;
    expect(await run({ cluster })).toMatchObject({ last: '9 passed, 1 failed', status: 1 });
  });

  test('.ci/run fails when no test ran, with any exit status', async () => {
    expect(await run({ cluster: 'true' })).toMatchObject({ last: '9 passed, 1 failed', status: 1 });
  });

  test('.ci/run ends with a table of the steps and their total', async () => {
    const { stdout } = await run({ check: 'exit 1' });
    const table = stdout.trimEnd().split('\n').slice(-8, -1);
    expect(
      table.map((line) =>
        line
          .trim()
          .replace(/^\d+ s/, 'N s')
          .split(/ {2,}/),
      ),
    ).toEqual([
      ['time', 'passed', 'failed', 'step'],
      ['N s', '5', '0', 'env CONTROLPLANE_BIN=/dev/null npm cit'],
      ['N s', '0', '1', 'npm run check'],
      ['N s', '1', '0', 'npm run test:durability'],
      ['N s', '3', '0', 'npm run test:faults'],
      ['N s', '2', '0', 'npm run test:cluster'],
      ['N s', '11', '1', 'total'],
    ]);
  });

  test('.ci/run prints the duration of each step', async () => {
    expect((await run({})).stdout).toMatch(/^== npm run test:cluster: \d+ s, 2 passed, 0 failed$/m);
  });
});
