import { chmodSync, globSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findBinaries } from '../controlplane/binaries.js';
import { performCommand } from '../docs/documented-command.js';
import { type PageStep, stepsOf } from '../docs/page-steps.js';
import { Terminal } from '../docs/terminal.js';
import { limitTests } from '../time-limits.js';

limitTests(600_000);

const root = join(import.meta.dirname, '..', '..');
const pages = globSync('docs/tutorial/[0-9]*.md', { cwd: root }).sort((a, b) => numberOf(a) - numberOf(b));

describe('the tutorial', () => {
  let folder: string;
  let project: string;
  let terminal: Terminal;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'kindwright-tutorial-')));
    project = join(folder, 'websites');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const { kubectl } = await findBinaries();
    writeFileSync(join(bin, 'kubectl'), `#!/bin/sh\nexec ${kubectl} "$@"\n`);
    chmodSync(join(bin, 'kubectl'), 0o755);
    const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
    const { NODE_OPTIONS: _options, KUBECONFIG: _kubeconfig, KUBEBUILDER_ASSETS: _assets, ...env } = process.env;
    terminal = new Terminal(folder, { ...env, PATH: path, NO_COLOR: '1', CI: 'true' });
    // What npx installs for the reader.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    await succeeds(`npm pack ${root} --ignore-scripts --loglevel=error`);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    await succeeds(`npm install --no-audit --no-fund --loglevel=error --fetch-retries=0 ./${tarball}`);
  });
  afterAll(async () => {
    await terminal[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function succeeds(command: string): Promise<void> {
    expect({ command, ...(await terminal.run(command)) }).toMatchObject({ status: 0 });
  }

  async function perform(step: PageStep): Promise<void> {
    if ('file' in step) {
      mkdirSync(dirname(join(project, step.file)), { recursive: true });
      writeFileSync(join(project, step.file), step.content);
      return;
    }
    await performCommand(step, (command) => terminal.run(command));
  }

  test.each(pages.map((page) => [basename(page), page] as const))(
    'the files and commands of %s lead to the output that it shows',
    async (_name, page) => {
      for (const step of stepsOf(page)) await perform(step);
    },
  );
});

function numberOf(page: string): number {
  return Number.parseInt(basename(page), 10);
}
