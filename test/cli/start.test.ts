import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');
const bin = join(root, 'dist', 'cli', 'bin', 'run-operator.js');

/** Loads the first module of a bin with another version in `process.versions`. */
const underNode = (version: string) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `Object.defineProperty(process.versions, 'node', { value: '${version}' });
       process.argv.push('run-operator', '--version');
       await import(${JSON.stringify(bin)});`,
    ],
    { encoding: 'utf8' },
  );

describe('the version of Node', () => {
  test.each(['18.20.4', '20.20.2', '22.18.0'])('Node %s is refused with one sentence', (version) => {
    const { status, stderr } = underNode(version);
    expect(status).toBe(1);
    expect(stderr).toContain(`error: run-operator requires Node 22.19 or later; this is Node ${version}\n`);
  });

  test.each(['22.19.0', '23.0.0', '24.1.0'])('Node %s is accepted', (version) => {
    expect(underNode(version)).toMatchObject({ status: 0, stderr: '' });
  });
});

test('a command ends silently when the reader of its output has closed the pipe', async () => {
  const child = spawn(process.execPath, [bin, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number]>]);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
});

test('a command whose output cannot be written fails with one sentence', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [bin, '--help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^error: standard output cannot be written: .*ENOSPC.*\n$/),
  });
});
