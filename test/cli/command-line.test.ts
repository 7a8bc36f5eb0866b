import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TemporaryProject, type CommandName } from './temporary-project.js';

let project: TemporaryProject;
beforeAll(() => {
  project = new TemporaryProject();
});
afterAll(() => project.remove());

const commands: CommandName[] = ['kindwright', 'run-operator', 'generate-manifests'];

describe.each(commands)('%s', (command) => {
  test(`${command} prints help`, async () => {
    const { exitCode, stdout, stderr } = await project.run(command, ['--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ${command}`);
  });

  test(`${command} prints its version`, async () => {
    expect(await project.run(command, ['--version'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  test(`${command} suggests the option that is most like an unknown one`, async () => {
    const { exitCode, stdout, stderr } = await project.run(command, ['--versoin']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain("error: unknown option '--versoin'\n(Did you mean --version?)");
  });
});

test.each(['run-operator', 'generate-manifests', 'serve', 'demo'])('kindwright has the subcommand %s', async (name) => {
  const { stdout } = await project.run('kindwright', [name, '--help']);
  expect(stdout).toContain(`Usage: kindwright ${name} [options]`);
});

test('kindwright suggests the command that is most like an unknown one', async () => {
  const { exitCode, stderr } = await project.run('kindwright', ['generate-manifest']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("unknown command 'generate-manifest'\n(Did you mean generate-manifests?)");
});

test.each([
  ['run-operator', ['--odd'], 'run-operator'],
  ['kindwright', ['serve', '--odd'], 'kindwright serve'],
  ['kindwright', ['create', 'kind'], 'kindwright create kind'],
] as const)('the error of %s %j names the command with the help', async (command, args, explained) => {
  const { exitCode, stderr } = await project.run(command, args);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(new RegExp(`^See ${explained} --help$`, 'm'));
});

test('kindwright without a command lists the commands', async () => {
  const { exitCode, stderr } = await project.run('kindwright');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('run-operator');
});

test.each([
  [['--namespace', 'Not_One'], 'A namespace has'],
  [['--master', 'ftp://127.0.0.1'], 'Pass an address'],
  [['--metrics-bind-address', '8080'], 'Pass host and port'],
  [['--debug-bind-address', ':6060'], 'Pass a loopback address'],
  [['--graceful-shutdown-timeout', '30'], 'Pass a duration'],
  [['--watch-audit-interval', '30'], 'Pass a duration'],
  [['--log-level', 'loud'], 'Allowed choices are debug, info, warn, error, silent'],
  [['--metrics-bind-address', ':8080', '--health-probe-bind-address', ':8080'], 'cannot share an address'],
])('run-operator %j is refused before anything is loaded', async (args, message) => {
  const { exitCode, stderr } = await project.run('run-operator', args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test('commands print colors to terminals only', async () => {
  const { stderr } = await project.run('generate-manifests', ['missing.ts']);
  expect(stderr).toMatch(/^error: missing\.ts does not exist\n {2}hint: /);
});
