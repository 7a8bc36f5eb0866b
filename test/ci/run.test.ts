import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../src/testing/eventually.js';

const script = join(import.meta.dirname, '..', '..', '.ci', 'run');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ci-run-'));
});
afterEach(() => rm(folder, { recursive: true }));

interface Npm {
  cit?: string;
  packed?: string;
  check?: string;
  certificates?: string;
  controlplane?: string;
  durability?: string;
  faults?: string;
  cluster?: string;
  conformance?: string;
}

const passing = (count: number): string =>
  `echo 'Test Suites: 1 passed, 1 total' >&2; echo 'Tests:       ${String(count)} passed, ${String(count)} total' >&2`;

const unchanged = `echo 'The suites have passed with the present contents of the folders that they depend on.'`;

const PASSING: Required<Npm> = {
  cit: passing(5),
  packed: passing(1),
  check: 'true',
  cluster: passing(2),
  faults: passing(3),
  certificates: unchanged,
  controlplane: unchanged,
  durability: unchanged,
  conformance: unchanged,
};

/** Runs .ci/run with an npm that does as given; otherwise all steps pass. */
async function run(npm: Npm, factor = '1') {
  const { cit, packed, check, cluster, faults, certificates, controlplane, durability, conformance } = {
    ...PASSING,
    ...npm,
  };
  const commands = {
    cit,
    'run test:package': packed,
    'run check': check,
    'run test:cluster': cluster,
    'run test:faults': faults,
    'run test:certificates -- --if-changed': certificates,
    'run test:controlplane -- --if-changed': controlplane,
    'run test:durability -- --if-changed': durability,
    'run test:conformance -- --if-changed': conformance,
  };
  const cases = Object.entries(commands).map(([args, script]) => `'${args}') ${script};;`);
  const executable = ['#!/bin/sh', 'case "$*" in', ...cases, 'esac', ''].join('\n');
  await writeFile(join(folder, 'npm'), executable, { mode: 0o755 });
  const env = { ...process.env, TEST_TIME_FACTOR: factor, PATH: `${folder}:${process.env.PATH ?? ''}` };
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

  test('.ci/run repeats the names of failed tests at the end', async () => {
    const cit = `echo 'FAIL unit test/a.test.ts'; echo '  ● a works'; echo 'Tests: 1 failed, 1 total'; exit 1`;
    const { stdout } = await run({ cit });
    expect(stdout).toContain('== failed\nFAIL unit test/a.test.ts\n  ● a works\n    time   passed');
  });

  test('.ci/run counts a failed check', async () => {
    expect(await run({ check: 'exit 1' })).toMatchObject({ last: '11 passed, 1 failed', status: 1 });
  });

  test('.ci/run runs the checks beside the suites on control planes, and waits for them', async () => {
    const started = join(folder, 'started');
    const ended = join(folder, 'ended');
    const cluster = `until [ -e ${started} ]; do sleep 0.01; done; touch ${ended}; ${passing(2)}`;
    const check = `touch ${started}; until [ -e ${ended} ]; do sleep 0.01; done; echo 'ok lint'`;
    const { status, stdout } = await run({ check, cluster });
    expect(stdout).toMatch(/\nok lint\n== npm run check: \d+ s, 0 passed, 0 failed\n/);
    expect(status).toBe(0);
  });

  test('.ci/run that is stopped ends the checks that run beside it', async () => {
    const started = join(folder, 'started');
    const ended = join(folder, 'ended');
    const check = `trap 'touch ${ended}; exit' TERM; touch ${started}; while :; do sleep 0.01; done`;
    const cluster = `until [ -e ${started} ]; do sleep 0.01; done; kill -TERM $PPID`;
    await run({ check, cluster });
    await eventually(() => access(ended));
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
    const table = stdout.trimEnd().split('\n').slice(-12, -1);
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
      ['N s', '1', '0', 'npm run test:package'],
      ['N s', '2', '0', 'npm run test:cluster'],
      ['N s', '3', '0', 'env FAULT_ROW_STEP=3 npm run test:faults'],
      ['N s', '0', '0', 'npm run test:certificates -- --if-changed'],
      ['N s', '0', '0', 'npm run test:controlplane -- --if-changed'],
      ['N s', '0', '0', 'npm run test:durability -- --if-changed'],
      ['N s', '0', '0', 'npm run test:conformance -- --if-changed'],
      ['N s', '0', '1', 'npm run check'],
      ['N s', '11', '1', 'total'],
    ]);
  });

  test('.ci/run prints the duration of each step', async () => {
    expect((await run({})).stdout).toMatch(/^== npm run test:cluster: \d+ s, 2 passed, 0 failed$/m);
  });

  test('.ci/run counts the tests of the server when it has changed', async () => {
    expect(await run({ conformance: passing(7) })).toMatchObject({ last: '18 passed, 0 failed', status: 0 });
    expect(await run({ conformance: `echo 'Tests:       1 failed, 6 passed, 7 total'; exit 1` })).toMatchObject({
      last: '17 passed, 1 failed',
      status: 1,
    });
  });

  test('.ci/run fails when the tests of the server neither run nor are unchanged', async () => {
    expect(await run({ conformance: 'true' })).toMatchObject({ last: '11 passed, 1 failed', status: 1 });
  });

  test('.ci/run prints the slowest suites, the slowest first', async () => {
    const suite = (name: string, time: string): string => `echo 'PASS unit test/${name}.test.ts (${time})' >&2`;
    const { stdout } = await run({ cit: `${suite('b', '900 ms')}; ${suite('a', '12.5 s')}; ${passing(5)}` });
    expect(stdout).toMatch(
      /== the slowest suites\n +12\.5 s {2}unit test\/a\.test\.ts\n +0\.9 s {2}unit test\/b\.test\.ts\n/,
    );
  });

  test('all steps of .ci/run and .ci/nightly have a budget', async () => {
    const { stdout } = await run({});
    expect(stdout).not.toContain('has no budget');
    const [budgets, nightly] = await Promise.all(
      ['budgets', 'nightly'].map((name) => readFile(join(script, '..', name), 'utf8')),
    );
    const steps = [...nightly!.matchAll(/^step \w+ (.*)$/gm)].map(([, command]) => command);
    expect(steps.length).toBeGreaterThan(5);
    for (const command of steps)
      expect(budgets).toMatch(new RegExp(`^ *\\d+ ${command!.replaceAll('/', '\\/')}$`, 'm'));
  });
});
