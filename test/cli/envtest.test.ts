import { execFile, spawn } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from 'kindwright/testing';
import { createServingIdentity } from '../../src/pki/certificate.js';
import { CLIENT_CA, JANE } from '../apiserver/auth/client-identity.js';
import { freePort } from '../controlplane/free-port.js';
import { StartedCommand } from './started-command.js';
import { TemporaryProject } from './temporary-project.js';

const serving = createServingIdentity(Date.now());
let project: TemporaryProject;
let started: StartedCommand[];

beforeEach(async () => {
  project = new TemporaryProject({
    'certs/apiserver.crt': serving.certPem,
    'certs/apiserver.key': serving.keyPem,
    'certs/client-ca.crt': CLIENT_CA,
  });
  started = [];
  await project.run('kindwright', ['envtest-assets', 'it is here']);
});
afterEach(async () => {
  for (const command of started) await command.end();
  project.remove();
});

const path = (name: string): string => join(project.folder, name);

function start(program: 'kube-apiserver' | 'etcd', ...args: string[]): StartedCommand {
  const command = new StartedCommand(spawn(path(`it is here/${program}`), args));
  started.push(command);
  return command;
}

function get(url: string, credentials = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(url, { ca: serving.caPem, agent: false, ...credentials }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject);
    call.end();
  });
}

describe('kindwright envtest-assets', () => {
  test('envtest-assets prints a shell command that exports KUBEBUILDER_ASSETS', async () => {
    const { stdout } = await project.run('kindwright', ['envtest-assets', 'it is here']);
    expect(stdout).toBe(`export KUBEBUILDER_ASSETS='${path('it is here')}'\n`);
  });

  test('envtest-assets replaces symbolic links and does not change their targets', async () => {
    project.write({ 'real/kubectl': 'a program', 'linked/README.md': '' });
    symlinkSync('../real/kubectl', path('linked/kubectl'));
    await project.run('kindwright', ['envtest-assets', 'linked']);
    expect(readFileSync(path('real/kubectl'), 'utf8')).toBe('a program');
    for (const name of ['kubectl', 'etcd']) expect(readFileSync(path(`linked/${name}`), 'utf8')).toMatch(/^#!/);
  });

  test('envtest-assets reports a folder that cannot be written', async () => {
    const run = project.run('kindwright', ['envtest-assets', 'certs/client-ca.crt/assets']);
    await expect(run).resolves.toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('error: certs/client-ca.crt/assets cannot be written: ENOTDIR'),
    });
  });

  test('the kube-apiserver stub serves with the certificates of envtest and stops on SIGTERM', async () => {
    const port = await freePort();
    const server = start(
      'kube-apiserver',
      '--authorization-mode=Node,RBAC',
      '--disable-admission-plugins=ServiceAccount',
      '--disable-admission-plugins=LimitRanger,PodSecurity',
      '--feature-gates=AllAlpha=false',
      `--cert-dir=${path('certs')}`,
      `--client-ca-file=${path('certs/client-ca.crt')}`,
      '--etcd-servers=http://127.0.0.1:1',
      `--secure-port=${port}`,
    );
    await eventually(async () => expect(await get(`https://127.0.0.1:${port}/healthz`)).toBe(200));
    expect(await get(`https://127.0.0.1:${port}/api/v1/secrets`)).toBe(403);
    expect(await get(`https://127.0.0.1:${port}/api/v1/secrets`, JANE)).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  test('the kube-apiserver stub creates a missing certificate and authenticates the users of a token file', async () => {
    project.write({ 'tokens.csv': 'jane-token,jane,1\n"root-token",root,2,"developers,system:masters"\n' });
    const port = await freePort();
    const url = `https://127.0.0.1:${port}`;
    start(
      'kube-apiserver',
      `--cert-dir=${path('new')}`,
      `--token-auth-file=${path('tokens.csv')}`,
      `--secure-port=${port}`,
    );
    const files = { ca: '' };
    await eventually(async () => {
      files.ca = readFileSync(path('new/apiserver.crt'), 'utf8');
      expect(await get(`${url}/healthz`, files)).toBe(200);
    });
    const codes = ['jane-token', 'root-token', 'no-token'].map((token) =>
      get(`${url}/api/v1/secrets`, { ...files, headers: { Authorization: `Bearer ${token}` } }),
    );
    expect(await Promise.all(codes)).toEqual([403, 200, 401]);
  });

  test('the kube-apiserver stub allows everything with --authorization-mode=AlwaysAllow', async () => {
    const port = await freePort();
    start('kube-apiserver', '--authorization-mode=AlwaysAllow', `--cert-dir=${path('certs')}`, `--secure-port=${port}`);
    await eventually(async () => expect(await get(`https://127.0.0.1:${port}/api/v1/secrets`)).toBe(200));
  });

  test('the kube-apiserver stub reports a token file with too few columns', async () => {
    project.write({ 'tokens.csv': 'a-token,jane\n' });
    const flags = ['--secure-port=0', `--token-auth-file=${path('tokens.csv')}`];
    await expect(promisify(execFile)(path('it is here/kube-apiserver'), flags)).rejects.toThrow(
      'must have at least 3 columns (token, user name, user uid), found 2',
    );
  });

  test.each(['--tls-cert-file', '--tls-private-key-file'])(
    'the kube-apiserver stub rejects %s without the other of the two files',
    async (flag) => {
      const program = promisify(execFile)(path('it is here/kube-apiserver'), ['--secure-port=0', `${flag}=file`]);
      await expect(program).rejects.toThrow('--tls-cert-file and --tls-private-key-file must be used together');
    },
  );

  test('the kube-apiserver stub reports the flag with an unreadable file', async () => {
    const flags = ['--secure-port=0', '--client-ca-file=/none/ca.crt'];
    await expect(promisify(execFile)(path('it is here/kube-apiserver'), flags)).rejects.toThrow(
      '--client-ca-file /none/ca.crt cannot be read: ENOENT',
    );
  });

  test('the help of the kube-apiserver stub lists no flag that envtest would have to disable', async () => {
    const { stdout } = await promisify(execFile)(path('it is here/kube-apiserver'), ['--help']);
    expect(stdout).toMatch(/^\s*--secure-port\b/m);
    expect(stdout).not.toMatch(/^\s*--insecure-port\b/m);
  });

  test.each([
    ['--authorization-mode=RBAC,Webhook', 'authorization-mode=RBAC,Webhook'],
    ['--authorization-mode=Node', 'authorization-mode=Node'],
    ['--enable-admission-plugins=LimitRanger,AlwaysPullImages', 'enable-admission-plugins=AlwaysPullImages'],
    ['--oidc-issuer-url=https://issuer', 'oidc-issuer-url'],
  ])('the kube-apiserver stub rejects the unsupported flag %s', async (flag, named) => {
    const files = [`--cert-dir=${path('certs')}`, '--secure-port=0'];
    const program = promisify(execFile)(path('it is here/kube-apiserver'), [...files, flag]);
    await expect(program).rejects.toThrow(`--${named} is not supported by the embedded API server`);
  });

  test('the etcd stub reports healthy and stops on SIGTERM', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const etcd = start('etcd', `--listen-client-urls=${url}`, '--listen-peer-urls=http://127.0.0.1:1', '--data-dir=x');
    await eventually(async () => expect((await fetch(`${url}/health`)).status).toBe(200));
    expect(await etcd.end('SIGTERM')).toBe(0);
  });

  test('the kubectl script runs the next kubectl of the PATH', async () => {
    project.write({ 'bin/kubectl': '#!/bin/sh\necho "the one of the PATH: $*"\n' });
    chmodSync(path('bin/kubectl'), 0o755);
    const kubectl = (folders: readonly string[]): Promise<{ stdout: string }> =>
      promisify(execFile)(path('it is here/kubectl'), ['get', 'all'], { env: { PATH: folders.join(':') } });
    const { stdout } = await kubectl([path('it is here'), path('bin')]);
    expect(stdout).toBe('the one of the PATH: get all\n');
    await expect(kubectl([path('it is here')])).rejects.toThrow('kubectl: not found on the PATH');
  });
});
