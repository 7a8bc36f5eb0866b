import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limitTests } from '../time-limits.js';

limitTests(600_000);

const root = join(import.meta.dirname, '..', '..');
// Not --prefer-offline: the lock file of `init` may name a version that is newer than what the cache knows.
const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];

/** A project as `kindwright init` of the packed package makes it, kindwright being installed from the same pack. */
describe('a project made by kindwright init', () => {
  let folder: string;
  let project: string;
  const run = async (cwd: string, command: string, ...args: string[]) => {
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const env = { ...process.env, PATH: path, NODE_OPTIONS: '', KUBEBUILDER_ASSETS: '', NO_COLOR: '1', CI: 'true' };
    const { stdout } = await promisify(execFile)(command, args, { cwd, env });
    return stdout;
  };

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'kindwright-init-')));
    project = join(folder, 'project');
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    await run(folder, 'npm', 'pack', root, '--ignore-scripts', ...quietly);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    await run(folder, 'npm', 'install', ...quietly, `./${tarball ?? ''}`);
    await run(folder, 'npx', 'kindwright', 'init', 'project', '--kind', 'Memcached');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a new project has installed the same package, and generated its manifests', () => {
    expect(readFileSync(join(project, 'package.json'), 'utf8')).toMatch(/"kindwright": "file:..\/kindwright-.*\.tgz"/);
    expect(readdirSync(join(project, 'crds-out'))).toContain('apps.example.com_memcacheds.yaml');
  });

  test('a new project passes its own npm cit', async () => {
    expect(await run(project, 'npm', 'cit', ...quietly)).toMatch(/Tests +4 passed/);
  });

  test('a new project passes its own check', async () => {
    expect(await run(project, 'npm', 'run', 'check')).toMatch(/unchanged in crds-out/);
  });

  test('a new project passes with a second kind', async () => {
    await run(project, 'npx', 'kindwright', 'create', 'kind', 'infra.example.com/v1', 'Region', '--cluster-scoped');
    expect(await run(project, 'npm', 'test')).toMatch(/Tests +8 passed/);
  });

  test('a new project is up to date for kindwright upgrade', async () => {
    expect(await run(project, 'npx', 'kindwright', 'upgrade')).toMatch(/\nup to date\n$/);
  });

  test('a new project prints why its first test fails: a wrong expectation, then an error of the operator', async () => {
    const failing = () =>
      run(project, 'npx', 'vitest', 'run', 'memcached', '-t', 'counts the ready pods').then(
        () => 'the test passed',
        (error: unknown) => {
          const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
          return stdout + stderr;
        },
      );
    const replace = (file: string, text: string, by: string) => {
      const before = readFileSync(join(project, file), 'utf8');
      expect(before).toContain(text);
      writeFileSync(join(project, file), before.replace(text, by));
      return before.slice(0, before.indexOf(text)).split('\n').length;
    };

    replace('test/memcached.test.ts', 'readyReplicas).toBe(2)', 'readyReplicas).toBe(3)');
    const expectation = await failing();
    expect(expectation).toMatch(/expected 2 to be 3/);
    expect(expectation).toMatch(/eventually gave up after \d+ ms and \d+ failed attempts/);
    expect(expectation).toMatch(/Reconciles since the test began:\n +\d+ ms {2}memcached test-\w+\/counted: done/);

    const line = replace(
      'operators/memcached.ts',
      'const labels =',
      "throw new Error('out of memory'); const labels =",
    );
    const thrown = await failing();
    expect(thrown).toMatch(/expected (undefined|\+?0) to be 3/);
    expect(thrown).toMatch(
      new RegExp(`memcached test-\\w+/counted: Error: out of memory.*\\n +operators/memcached\\.ts:${line}:\\d+\\n`),
    );
  });
});
