import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { stringifyYaml } from '../../../src/base/yaml.js';
import { loadClusterConfig, type ClusterConfig } from '../../../src/client/cluster-config.js';
import { tempFolder } from '../temp-folder.js';

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
}

/** Loads a kubeconfig with one cluster and one user; `folder` is where it stands. */
async function load({ cluster, user }: Parts): Promise<{ folder: string; config: ClusterConfig }> {
  const text = stringifyYaml({
    clusters: [{ name: 'c', cluster: { server: 'https://one', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
  const folder = tempFolder({ 'sub/config': text });
  return { folder, config: await loadClusterConfig({ kubeconfig: join(folder, 'sub/config'), env: {} }) };
}

describe('the cluster entry', () => {
  test('gives certificate authority, server name and leave to verify nothing', async () => {
    const cluster = {
      'certificate-authority-data': Buffer.from('PEM').toString('base64'),
      'tls-server-name': 'kubernetes.default',
      'insecure-skip-tls-verify': true,
    };
    const { tls } = (await load({ cluster })).config;
    expect(tls).toMatchObject({ serverName: 'kubernetes.default', insecureSkipVerify: true });
    expect(tls?.ca && 'data' in tls.ca && tls.ca.data.reveal()).toBe('PEM');
  });

  test('names files relative to the kubeconfig', async () => {
    const { folder, config } = await load({ cluster: { 'certificate-authority': '../ca.crt' } });
    expect(config.tls?.ca).toEqual({ file: join(folder, 'ca.crt') });
  });

  test('prefers data to a file', async () => {
    const cluster = { 'certificate-authority': 'ca.crt', 'certificate-authority-data': 'UEVN' };
    expect((await load({ cluster })).config.tls?.ca).toHaveProperty('data');
  });

  test.each(['not base64!', 'UEV', 'UEVN='])(
    'with data that is not base64 (%s) is refused by its key',
    async (data) => {
      const promise = load({ cluster: { 'certificate-authority-data': data } });
      await expect(promise).rejects.toThrow('clusters[c].cluster.certificate-authority-data is not base64');
    },
  );
});

describe('the user entry', () => {
  test('gives a client certificate', async () => {
    const { folder, config } = await load({ user: { 'client-certificate': 'a.crt', 'client-key': '/b.key' } });
    const expected = { certificate: { file: join(folder, 'sub/a.crt') }, key: { file: '/b.key' } };
    expect(config.tls?.clientCertificate).toEqual(expected);
  });

  test.each(['client-key', 'client-certificate'])('with %s alone is refused', async (key) => {
    await expect(load({ user: { [key]: 'x' } })).rejects.toThrow(/users\[u\]\.user\.client-\w+ is missing/);
  });

  test('gives token, token file and password', async () => {
    const { auth } = (await load({ user: { token: 't', tokenFile: '/token', username: 'n', password: 'p' } })).config;
    expect([auth?.tokenFile, auth?.token?.reveal(), auth?.basic?.password.reveal()]).toEqual(['/token', 't', 'p']);
  });

  test('gives whom to act as', async () => {
    const user = { as: 'bob', 'as-uid': '7', 'as-groups': ['dev'], 'as-user-extra': { a: ['1', '2'] } };
    expect((await load({ user })).config.auth?.impersonate).toEqual({
      user: 'bob',
      uid: '7',
      groups: ['dev'],
      extra: new Map([['a', ['1', '2']]]),
    });
  });

  test('that names groups to act as, but no user, is refused', async () => {
    await expect(load({ user: { 'as-groups': ['dev'] } })).rejects.toThrow('users[u].user.as is missing');
  });

  test('gives a legacy auth provider', async () => {
    const user = { 'auth-provider': { name: 'oidc', config: { 'id-token': 'x' } } };
    const provider = (await load({ user })).config.auth?.authProvider;
    expect([provider?.name, provider?.config.get('id-token')?.reveal()]).toEqual(['oidc', 'x']);
  });
});

describe('the exec entry', () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'get-token', interactiveMode: 'Never' };

  test('gives the program with its arguments and environment', async () => {
    const user = { exec: { ...exec, args: ['a'], env: [{ name: 'N', value: 'v' }], installHint: 'apt install it' } };
    const config = (await load({ user })).config.auth?.exec;
    expect(config).toMatchObject({ command: 'get-token', args: ['a'], installHint: 'apt install it' });
    expect(config?.env.get('N')?.reveal()).toBe('v');
  });

  test('finds a relative program beside the kubeconfig, not in the working directory', async () => {
    const { folder, config } = await load({ user: { exec: { ...exec, command: './bin/x' } } });
    expect(config.auth?.exec?.command).toBe(join(folder, 'sub/bin/x'));
  });

  test('tells of the cluster only when asked to', async () => {
    const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } };
    const cluster = { extensions: [extension] };
    const told = await load({ cluster, user: { exec: { ...exec, provideClusterInfo: true } } });
    const untold = await load({ cluster, user: { exec } });
    expect(told.config.auth?.exec?.clusterInfo).toMatchObject({ server: 'https://one', config: { audience: 'a' } });
    expect(untold.config.auth?.exec?.clusterInfo).toBeUndefined();
  });

  test('tells of a certificate authority in a file', async () => {
    const cluster = { 'certificate-authority': 'ca.crt' };
    const told = await load({ cluster, user: { exec: { ...exec, provideClusterInfo: true } } });
    expect(told.config.auth?.exec?.clusterCaFile).toMatch(/^\/.*\/ca\.crt$/);
  });

  test.each([
    [{ command: undefined }, 'exec.command is missing'],
    [{ apiVersion: undefined }, 'exec.apiVersion is missing'],
    [{ interactiveMode: 'Perhaps' }, 'exec.interactiveMode must be Never, IfAvailable or Always'],
    [{ args: 'x' }, 'exec.args must be a list, but is a string'],
  ])('with %j is refused', async (change, message) => {
    const entry = JSON.parse(JSON.stringify({ ...exec, ...change })) as object;
    await expect(load({ user: { exec: entry } })).rejects.toThrow(`users[u].user.${message}`);
  });
});
