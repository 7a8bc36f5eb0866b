import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryProject } from '../temporary-project.js';

const mutant = join(import.meta.dirname, '..', '..', 'simulation', 'mutants', 'm01-two-secrets.ts');
const PLAN = 'crash restart=now after write';
const replay = ['operators/gateway.ts', '--replay', PLAN];

describe('kindwright simulate', () => {
  let project: TemporaryProject;
  const simulate = (...args: readonly string[]) => project.run('kindwright', ['simulate', ...args]);

  beforeAll(() => {
    project = new TemporaryProject({
      'package.json': JSON.stringify({ type: 'module', devDependencies: { vitest: '*' } }),
      'operators/gateway.ts': readFileSync(mutant, 'utf8'),
      'operators/sound.ts': readFileSync(mutant.replace(/ts$/, 'sound.ts'), 'utf8'),
    });
  });
  afterAll(() => {
    project.remove();
  });

  test('prints a problem with its timeline and the command that repeats it, and saves it as a test', async () => {
    const { exitCode, stdout } = await simulate('operators/gateway.ts', '--only', 'crash', '--save', 'found.test.ts');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^✗ .*public-tls-internal/);
    expect(stdout).toMatch(/operator {2}create Secret public-tls +operators\/gateway\.ts:29:/);
    expect(stdout).toMatch(
      /replay {2}kindwright simulate operators\/gateway\.ts --replay 'crash .* after create Secret .*'\n/,
    );
    expect(stdout).toMatch(/\n✗ Gateway: 1 problem in \d+ schedules.*\nwrote found\.test\.ts\n$/);
    const saved = readFileSync(join(project.folder, 'found.test.ts'), 'utf8');
    expect(saved).toMatch(/^import \{ test \} from 'vitest';\nimport \{ simulate \} from 'kindwright\/testing';\n/);
    expect(saved).toContain(`import { Gateway } from './operators/gateway.js';`);
    expect(saved).toMatch(/test\('Gateway: (crash .* after create Secret .*)', async[^]* faults: \['\1'\],\n/);
  });

  test('repeats a plan, as JSON, and finds nothing wrong with the repaired class', async () => {
    const [line = ''] = (await simulate(...replay, '--json')).stdout.split('\n');
    expect(JSON.parse(line)).toMatchObject({
      class: 'Gateway',
      faults: PLAN,
      hash: expect.stringMatching(/^[0-9a-f]+$/),
    });
    const sound = await simulate('operators/sound.ts', ...replay.slice(1));
    expect(sound).toMatchObject({ exitCode: 0, stdout: '✓ Gateway: the plan has no problem\n' });
  });

  test('ends after a number of schedules', async () => {
    const { exitCode, stdout } = await simulate('operators/sound.ts', '--schedules', '6', '--only', 'crash');
    expect(stdout).toMatch(/^✓ Gateway: 0 problems in 6 schedules, /);
    expect(exitCode).toBe(0);
  });

  test('overwrites no file', async () => {
    project.write({ 'present.test.ts': 'mine' });
    const { exitCode, stderr } = await simulate(...replay, '--save', 'present.test.ts');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('present.test.ts already exists; nothing was written');
    expect(readFileSync(join(project.folder, 'present.test.ts'), 'utf8')).toBe('mine');
    expect(readdirSync(project.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('lists faults and rules, and rejects an unknown fault and invalid numbers', async () => {
    const { stdout } = await simulate('--list');
    expect(stdout).toMatch(/^ {2}crash +the operator is killed/m);
    expect(stdout).toMatch(/^ {2}ledger +\S/m);
    const unknown = await simulate('operators/sound.ts', '--only', 'crush');
    expect(unknown.stderr).toContain('did you mean crash?');
    expect((await simulate('--depth', '3')).exitCode).toBe(2);
    expect((await simulate('--schedules', '0')).exitCode).toBe(2);
  });
});
