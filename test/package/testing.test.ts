import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { moduleWith } from '../docs/doc-files.js';

jest.setTimeout(300_000);

const root = join(import.meta.dirname, '..', '..');
const TSCONFIG = {
  compilerOptions: { module: 'NodeNext', target: 'ES2023', experimentalDecorators: true, emitDecoratorMetadata: true },
};

/** The examples of docs/testing.md in a project that has nothing but what the page says to install. */
describe('a user’s tests with the packed package', () => {
  let folder: string;
  const run = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const options = {
      cwd: folder,
      env: { ...process.env, PATH: path, NODE_OPTIONS: '', KUBEBUILDER_ASSETS: '', NO_COLOR: '1', ...env },
    };
    const { stdout, stderr } = await promisify(execFile)(command, args, options);
    return stdout + stderr;
  };

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'kindwright-testing-')));
    mkdirSync(join(folder, 'operators'));
    const files = {
      'package.json': '{ "type": "module", "private": true }',
      'tsconfig.json': JSON.stringify(TSCONFIG),
      'jest.config.js': moduleWith('docs/testing.md', '@swc/jest', 'js'),
      'operators/podset.ts': moduleWith('README.md', 'class PodSetSpec'),
      'operators/podset.test.ts': moduleWith('docs/testing.md', "from '@jest/globals'"),
      'operators/podset.vitest.test.ts': moduleWith('docs/testing.md', "from 'vitest'"),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];
    await run('npm', ['pack', root, '--ignore-scripts', ...quietly]);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    const commands = [
      ...readFileSync(join(root, 'docs', 'testing.md'), 'utf8').matchAll(/^npm install --save-dev (.*)$/gm),
    ];
    const tools = commands.flatMap(([, names = '']) => names.split(' '));
    await run('npm', ['install', ...quietly, `./${tarball ?? ''}`, 'class-validator', ...tools]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('run with jest, as configured in docs/testing.md', async () => {
    const env = { NODE_OPTIONS: '--experimental-vm-modules' };
    expect(await run('npx', ['jest', 'operators/podset.test.ts'], env)).toMatch(/Tests: +3 passed, 3 total/);
  });

  test('run with vitest, without any configuration', async () => {
    expect(await run('npx', ['vitest', 'run', 'podset.vitest'])).toMatch(/Tests +1 passed/);
  });
});
