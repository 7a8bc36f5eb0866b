import { describe, expect, test } from '@jest/globals';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../src/testing/eventually.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import type { ExecConfig } from '../../../src/client/config/auth-config.js';
import { ExecPlugin } from '../../../src/client/auth/exec-plugin.js';
import { Secret } from '../../../src/client/secret.js';
import { tempFolder } from '../temp-folder.js';

const clusterInfo = new Secret('{"server":"https://one"}');
const API = 'client.authentication.k8s.io/v1';

/** A plugin that records each run and its environment, then runs the shell script. */
function plugin(script: string, change: Partial<ExecConfig> = {}) {
  const preamble = '#!/bin/sh\ncd "$(dirname "$0")"\necho run >> runs\necho "$KUBERNETES_EXEC_INFO" > info\n';
  const folder = tempFolder({ plugin: preamble + script });
  const command = join(folder, 'plugin');
  chmodSync(command, 0o700);
  const clock = new FakeClock();
  const config: ExecConfig = {
    apiVersion: API,
    command,
    args: [],
    env: new Map(),
    interactiveMode: 'Never',
    ...change,
  };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const runs = (): number => read('runs').trim().split('\n').length;
  return { exec: new ExecPlugin(config, clock), clock, command, folder, read, runs };
}

function printing(status: object): string {
  return `cat <<'EOF'\n${JSON.stringify({ kind: 'ExecCredential', apiVersion: API, status })}\nEOF\n`;
}

describe('ExecPlugin', () => {
  test('a credential plugin runs once for 50 simultaneous calls, and not again', async () => {
    const { exec, runs } = plugin(printing({ token: 't' }));
    const headers = await Promise.all(Array.from({ length: 50 }, async () => exec.authorization()));
    expect(new Set(headers)).toEqual(new Set(['Bearer t']));
    expect(exec.authorization()).toBe('Bearer t');
    expect(runs()).toBe(1);
  });

  test('a credential plugin runs again when its token has expired', async () => {
    const { exec, runs, clock } = plugin(printing({ token: 't', expirationTimestamp: '2026-01-01T00:10:00Z' }));
    await exec.authorization();
    await clock.advance(600_000);
    await exec.authorization();
    expect(runs()).toBe(2);
  });

  test('a credential plugin runs again once when several calls were refused with its token', async () => {
    const { exec, runs } = plugin(
      'echo x >> count\n' +
        printing({ token: 'T' }).replace("'EOF'", 'EOF').replace('"T"', '"$(wc -l < count | tr -d " ")"'),
    );
    const first = await exec.authorization();
    exec.reject(first);
    const second = await exec.authorization();
    exec.reject(first);
    expect(await exec.authorization()).toBe(second);
    expect([first, second, runs()]).toEqual(['Bearer 1', 'Bearer 2', 2]);
  });

  test('a credential plugin that always prints an expired token runs once in ten seconds', async () => {
    const { exec, runs, clock } = plugin(printing({ token: 't', expirationTimestamp: '2025-01-01T00:00:00Z' }));
    for (let second = 0; second < 19; second++) {
      expect(await exec.authorization()).toBe('Bearer t');
      await clock.advance(1_000);
    }
    expect(runs()).toBe(2);
  });

  test('a credential plugin that prints the rejected token again cannot help until ten seconds later', async () => {
    const { exec, runs, clock } = plugin(printing({ token: 't' }));
    expect(exec.reject(await exec.authorization())).toBe(true);
    expect(exec.reject(await exec.authorization())).toBe(false);
    await clock.advance(10_000);
    expect(exec.reject(await exec.authorization())).toBe(true);
    await exec.authorization();
    expect(runs()).toBe(3);
  });

  test('a credential plugin that prints another certificate after a rejection is rejected once more', async () => {
    const half = '$(wc -l < runs | tr -d " ")';
    const status = { clientCertificateData: 'N', clientKeyData: 'k' };
    const { exec, runs } = plugin(printing(status).replace("'EOF'", 'EOF').replace('"N"', `"${half}"`));
    for (let round = 0; round < 3; round++) expect(exec.reject(await exec.authorization())).toBe(true);
    expect(runs()).toBe(3);
  });

  test('a credential plugin can return a client certificate', async () => {
    const { exec } = plugin(printing({ clientCertificateData: 'C', clientKeyData: 'K' }));
    const pair = await exec.clientCertificate();
    expect(pair && 'data' in pair.key && pair.key.data.reveal()).toBe('K');
    expect(await exec.authorization()).toBeUndefined();
  });

  test('a credential plugin gets its ExecCredential and its environment variables', async () => {
    const env = new Map([['GREETING', new Secret('hello')]]);
    const script = 'echo "$GREETING $1" > seen\n' + printing({ token: 't' });
    const { exec, read } = plugin(script, { env, args: [new Secret('$(touch pwned)')], clusterInfo });
    await exec.authorization();
    const spec = { interactive: false, cluster: { server: 'https://one' } };
    expect(JSON.parse(read('info'))).toEqual({ kind: 'ExecCredential', apiVersion: API, spec });
    expect(read('seen')).toBe('hello $(touch pwned)\n');
  });

  test('a credential plugin gets the certificate authority that its file contains at that time', async () => {
    const spec = (text: string) => ({
      interactive: false,
      cluster: { server: 'https://one', 'certificate-authority-data': Buffer.from(text).toString('base64') },
    });
    const clusterCaFile = join(tempFolder({ 'ca.crt': 'first' }), 'ca.crt');
    const change = { clusterInfo, clusterCaFile };
    const { exec, read } = plugin(printing({ token: 't' }), change);
    const first = await exec.authorization();
    expect(JSON.parse(read('info'))).toMatchObject({ spec: spec('first') });
    writeFileSync(clusterCaFile, 'second');
    exec.reject(first);
    await exec.authorization();
    expect(JSON.parse(read('info'))).toMatchObject({ spec: spec('second') });
  });

  test('a credential plugin does not run when the file of the certificate authority cannot be read', async () => {
    const { exec } = plugin(printing({ token: 't' }), { clusterInfo, clusterCaFile: '/missing/ca.crt' });
    await expect(exec.authorization()).rejects.toThrow('certificate-authority /missing/ca.crt cannot be read');
  });

  test('a credential plugin is not interactive when standard input is not a terminal', async () => {
    const { exec, read } = plugin(printing({ token: 't' }), { interactiveMode: 'IfAvailable' });
    const { isTTY } = process.stdin;
    Object.defineProperty(process.stdin, 'isTTY', { value: undefined, configurable: true, writable: true });
    try {
      await exec.authorization();
    } finally {
      process.stdin.isTTY = isTTY;
    }
    expect(JSON.parse(read('info'))).toMatchObject({ spec: { interactive: false } });
  });

  test.each([
    ['fails', 'echo s3cret; exit 3', 'failed with exit code 3'],
    ['prints junk', 'echo s3cret', 'did not print an ExecCredential'],
    ['prints another kind', `echo '{"kind":"s3cret"}'`, 'did not print an ExecCredential'],
    [
      'prints another version',
      `echo '{"kind":"ExecCredential","apiVersion":"s3cret"}'`,
      `did not print an ExecCredential of apiVersion ${API}`,
    ],
    ['prints no credential', printing({}), 'printed neither a token nor a certificate'],
    [
      'prints half a certificate',
      printing({ clientKeyData: 's3cret' }),
      'must print both clientCertificateData and clientKeyData',
    ],
    [
      'prints an invalid expiry',
      printing({ token: 's3cret', expirationTimestamp: 'soon' }),
      'printed an invalid expirationTimestamp',
    ],
    ['prints too much', 'head -c 1100000 /dev/zero', 'printed more than 1048576 bytes'],
    ['kills itself', 'kill -9 $$', 'was terminated by SIGKILL'],
  ])(
    'a credential plugin that %s fails with an error that names it and does not contain its output',
    async (_what, script, message) => {
      const { exec, command } = plugin(script);
      const error = await Promise.resolve(exec.authorization()).catch((reason: unknown) => reason as Error);
      expect(error).toMatchObject({ code: 'E_EXEC_PLUGIN', message: expect.stringContaining(message) });
      expect((error as Error).message).toContain(command);
      expect((error as Error).message).not.toContain('s3cret');
    },
  );

  test('a credential plugin that does not exit is killed after a minute, with what it started', async () => {
    const { exec, clock, folder } = plugin('sleep 1000 &\necho $! > pid\nwait');
    const outcome = Promise.resolve(exec.authorization()).catch((reason: unknown) => reason);
    const pid = await eventually(() => {
      const line = readFileSync(join(folder, 'pid'), 'utf8');
      expect(line).toMatch(/^\d+\n$/);
      return Number(line);
    });
    await clock.advance(60_000);
    expect(await outcome).toMatchObject({ message: expect.stringContaining('did not exit within 60 s') });
    await eventually(() => {
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });
  });

  test('a credential plugin that is not installed fails with its install hint', async () => {
    const env = new Map([['PATH', new Secret(tempFolder({}))]]); // PATH may contain folders that this user cannot read
    const { exec } = plugin('', { command: 'no-such-program-here', installHint: 'brew install it', env });
    await expect(exec.authorization()).rejects.toMatchObject({
      message: 'credential plugin no-such-program-here is not installed',
      hint: 'brew install it',
    });
  });

  test('a credential plugin that failed is run again by the next call', async () => {
    const { exec, runs } = plugin(`[ -f second ] || { touch second; exit 1; }\n${printing({ token: 't' })}`);
    await expect(exec.authorization()).rejects.toThrow('exit code 1');
    expect(await exec.authorization()).toBe('Bearer t');
    expect(runs()).toBe(2);
  });
});
