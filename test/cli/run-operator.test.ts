import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from './temporary-project.js';

const OPERATOR = `
import { CustomResource, Kind } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  reconcile(): void {}
}
`;

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: local
contexts: [{ name: local, context: { cluster: local, user: admin } }]
clusters: [{ name: local, cluster: { server: 'http://127.0.0.1:1' } }]
users: [{ name: admin, user: { token: none } }]
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({ 'operators/gauge.ts': OPERATOR, kubeconfig: KUBECONFIG });
});
afterEach(() => project.remove());

/** Starts the operator and resolves with it once it has logged a line that matches. */
function startUntil(pattern: RegExp, ...args: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = project.start('run-operator', ['--kubeconfig', 'kubeconfig', ...args]);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      if (pattern.test(line)) resolve({ child, line });
    });
    child.once('exit', (code) => reject(new Error(`ended with ${String(code)} before it logged ${String(pattern)}`)));
  });
}

async function exitCodeAfter(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  const exit = once(child, 'exit') as Promise<[number]>;
  child.kill(signal);
  return (await exit)[0];
}

describe.each([[[]], [['--install']]])('run-operator %j while the API server is away', (args) => {
  test('run-operator reports an unreachable host with the cause, retries, and ends cleanly on a signal', async () => {
    const { child, line } = await startUntil(/127\.0\.0\.1:1\b/, ...args);
    expect(line).toContain('connection refused');
    expect(await exitCodeAfter(child, 'SIGTERM')).toBe(0);
  });
});

describe('run-operator', () => {
  test('a missing kubeconfig ends run-operator with exit code 78', async () => {
    const outcome = await project.run('run-operator', ['--kubeconfig', 'nowhere', '--log-format', 'text']);
    expect(outcome).toMatchObject({ exitCode: 78, stderr: expect.stringMatching(/^error: .*nowhere/) });
  });

  test('a fatal error is logged as JSON when stderr is not a terminal', async () => {
    const { exitCode, stderr } = await project.run('run-operator', ['--kubeconfig', 'nowhere']);
    expect(exitCode).toBe(78);
    expect(JSON.parse(stderr)).toMatchObject({
      level: 'error',
      code: 'E_CONFIG',
      msg: expect.stringContaining('nowhere'),
    });
  });

  test('without a reconcile method run-operator ends with exit code 78, and suggests a method that may be misspelled', async () => {
    project.write({ 'operators/gauge.ts': OPERATOR.replace('reconcile()', 'reconcil()') });
    const { exitCode, stderr } = await project.run('run-operator', ['--log-format', 'text']);
    expect(exitCode).toBe(78);
    expect(stderr).toMatch(/^error: no reconcile method in Gauge\n {2}hint: .*Gauge\.reconcil.*rename it/);
  });

  test.each([
    ['Promise.reject(new Error("stray"))', 'unhandled promise rejection, the operator ends'],
    ['setTimeout(() => { throw new Error("stray"); })', 'error thrown outside of a reconcile, the operator ends'],
  ])('an unhandled error ends run-operator with exit code 1 and its line: %s', async (statement, message) => {
    project.write({ 'operators/gauge.ts': `${OPERATOR}\n${statement};` });
    const { exitCode, stderr } = await project.run('run-operator', ['--kubeconfig', 'kubeconfig']);
    expect(exitCode).toBe(1);
    const line = stderr.split('\n').find((text) => text.includes(message)) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      err: { message: 'stray', at: expect.stringMatching(/^operators\/gauge.ts:9:/) },
    });
  });

  test('the frames of user code of an error that onStart throws are printed', async () => {
    const start = "  static onStart(): void {\n    throw new Error('no database');\n  }\n  reconcile";
    project.write({ 'operators/gauge.ts': OPERATOR.replace('  reconcile', start) });
    const args = ['--kubeconfig', 'kubeconfig', '--no-preflight', '--log-format', 'text'];
    const { exitCode, stderr } = await project.run('run-operator', args);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /error: Gauge\.onStart failed: no database\n {2}hint: .*\n {4}at .*onStart \(operators\/gauge\.ts:7:\d+\)\n$/,
    );
  });

  test.each([[[]], [['--install']]])('run-operator %j ends cleanly while it loads', async (args) => {
    project.write({ 'operators/gauge.ts': `${OPERATOR}\nprocess.kill(process.pid, 'SIGTERM');` });
    const { exitCode } = await project.run('run-operator', ['--kubeconfig', 'kubeconfig', ...args]);
    expect(exitCode).toBe(0);
  });

  test('run-operator does not wait for timers that an operator has left running', async () => {
    project.write({ 'operators/gauge.ts': `${OPERATOR}\nsetInterval(() => undefined, 1000);` });
    const { child } = await startUntil(/connection refused/);
    expect(await exitCodeAfter(child, 'SIGINT')).toBe(0);
  });
});

describe('run-operator with options from other places than flags', () => {
  test('the options in effect are logged with their origin', async () => {
    project.write({ 'config.yaml': 'controllers: { gauge: { maxConcurrentReconciles: 4 } }\n' });
    const { line, child } = await startUntil(/Options/, '--config', 'config.yaml', '--log-format', 'json');
    expect(JSON.parse(line)).toMatchObject({
      config: 'config.yaml (flag)',
      controller: 'gauge.maxConcurrentReconciles=4 (config)',
    });
    expect(await exitCodeAfter(child, 'SIGTERM')).toBe(0);
  });

  test('an unknown controller is a warning if a class can add controllers', async () => {
    const adding = OPERATOR.replace('CustomResource,', 'CustomResource, Inject, Manager,').replace(
      'reconcile()',
      '@Inject(Manager) private readonly manager!: Manager;\n  reconcile()',
    );
    project.write({ 'operators/gauge.ts': adding });
    const { child } = await startUntil(/no controller is named later/, '--controller', 'later.baseDelay=1');
    expect(await exitCodeAfter(child, 'SIGTERM')).toBe(0);
  });

  test('exit code 78 means an invalid file or an unknown controller, and 2 invalid lease durations', async () => {
    const run = (args: string[], env = {}) => project.run('run-operator', ['--kubeconfig', 'kubeconfig', ...args], env);
    project.write({ 'config.yaml': 'leaderElekt: true\n' });
    const invalid = await run([], { KINDWRIGHT_CONFIG: 'config.yaml' });
    expect(invalid).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('did you mean leaderElect?') });
    const unknown = await run(['--controller', 'podset.baseDelay=1']);
    expect(unknown).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('the controllers are gauge') });
    const lease = await run(['--leader-elect-lease-duration', '10s']);
    expect(lease.exitCode).toBe(2);
    expect(lease.stderr).toContain('--leader-elect-renew-deadline must be less than --leader-elect-lease-duration');
  });
});
