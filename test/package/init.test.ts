import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

jest.setTimeout(600_000);

const root = join(import.meta.dirname, '..', '..');
const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];

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

  test('has installed the same package, and generated its manifests', () => {
    expect(readFileSync(join(project, 'package.json'), 'utf8')).toMatch(/"kindwright": "file:..\/kindwright-.*\.tgz"/);
    expect(readdirSync(join(project, 'crds-out'))).toContain('apps.example.com_memcacheds.yaml');
  });

  test('passes its own npm cit', async () => {
    expect(await run(project, 'npm', 'cit', ...quietly)).toMatch(/Tests +3 passed/);
  });

  test('passes its own check', async () => {
    expect(await run(project, 'npm', 'run', 'check')).toMatch(/unchanged in crds-out/);
  });

  test('passes with a second kind', async () => {
    await run(project, 'npx', 'kindwright', 'create', 'kind', 'infra.example.com/v1', 'Region', '--cluster-scoped');
    expect(await run(project, 'npm', 'test')).toMatch(/Tests +6 passed/);
  });
});
