import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/** Passes only in an environment that no other suite has changed, and changes it. */
const CHANGING = `
  import { count } from './src/count.mjs';
  import { countInTests } from './count-in-tests.mjs';
  const { jest } = import.meta;
  test('load ' + count() + ' of src, ' + countInTests() + ' of tests', async () => {
    expect(process.env.LEFT).toBeUndefined();
    expect(process.env.PATH).toBeDefined();
    expect(process.argv).not.toContain('left');
    expect(process.cwd()).not.toBe('/');
    expect(process.listenerCount('SIGUSR2')).toBe(0);
    expect(fetch).not.toBe(1);
    expect(jest.isMockFunction(console.log)).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 1));
    process.env.LEFT = 'x';
    delete process.env.PATH;
    process.argv.push('left');
    process.chdir('/');
    process.on('SIGUSR2', () => undefined);
    globalThis.fetch = 1;
    jest.spyOn(console, 'log');
    jest.setTimeout(60);
    jest.useFakeTimers();
  });
`;

const FILES = {
  'package.json': '{"type": "module"}',
  'src/count.mjs': 'let loads = 0; export const count = () => ++loads;',
  'count-in-tests.mjs': 'let loads = 0; export const countInTests = () => ++loads;',
  'changes-1.test.mjs': CHANGING,
  'changes-2.test.mjs': CHANGING,
  'own.test.mjs': `/** @own-environment because it has this comment */${CHANGING}`,
  'fails.test.mjs': `
    test('fails', () => expect(1).toBe(2));
    test('rejects', async () => {
      void Promise.reject(new Error('unhandled'));
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    test('snapshot', () => expect('new').toMatchInlineSnapshot('"old"'));
    test.skip('is skipped', () => undefined);`,
  'throws.test.mjs': `throw new Error('thrown at import'); test('never', () => undefined);`,
  'hook.test.mjs': `afterAll(() => { throw new Error('thrown in a hook'); }); test('passes', () => undefined);`,
};

interface Suite {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
}

const folder = mkdtempSync(join(tmpdir(), 'suite-runner-'));
let suites: readonly Suite[];

beforeAll(async () => {
  mkdirSync(join(folder, 'src'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const config = {
    rootDir: folder,
    testMatch: ['**/*.test.mjs'],
    testRunner: resolve('test/suite-runner/main.ts'),
    transform: {},
  };
  const jest = ['--experimental-vm-modules', resolve('node_modules/jest/bin/jest.js')];
  const args = [...jest, '--config', JSON.stringify(config), '--runInBand', '--ci', '--json'];
  const output = await new Promise<string>((done) =>
    execFile(process.execPath, args, (_error, stdout) => done(stdout)),
  );
  suites = (JSON.parse(output) as { testResults: Suite[] }).testResults;
});

afterAll(() => rmSync(folder, { recursive: true }));

function suite(name: string): Suite {
  const found = suites.find((each) => each.name.endsWith(name));
  if (!found) throw new Error(`no result of ${name}`);
  return found;
}

const results = (name: string) => suite(name).assertionResults.map(({ title, status }) => `${title}: ${status}`);

test('suites share the modules of src and find nothing that another suite has changed', () => {
  expect([suite('changes-1.test.mjs').message, suite('changes-2.test.mjs').message]).toEqual(['', '']);
  expect([...results('changes-1.test.mjs'), ...results('changes-2.test.mjs')].sort()).toEqual([
    'load 1 of src, 1 of tests: passed',
    'load 2 of src, 1 of tests: passed',
  ]);
});

test('a suite with @own-environment shares no module', () => {
  expect(results('own.test.mjs')).toEqual(['load 1 of src, 1 of tests: passed']);
});

test('failed tests, unhandled rejections and skipped tests are reported', () => {
  expect(results('fails.test.mjs')).toEqual([
    'fails: failed',
    'rejects: failed',
    'snapshot: failed',
    'is skipped: pending',
  ]);
  expect(suite('fails.test.mjs').message).toContain('unhandled');
});

test('an error at import or in a hook fails the suite', () => {
  expect(suite('throws.test.mjs')).toMatchObject({ status: 'failed', assertionResults: [] });
  expect(suite('throws.test.mjs').message).toContain('thrown at import');
  expect(suite('hook.test.mjs').status).toBe('failed');
  expect(suite('hook.test.mjs').message).toContain('thrown in a hook');
});
