import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { stringifyYaml } from '../../../src/base/yaml.js';
import { silentLogger } from '../../../src/base/logger.js';
import { Client } from '../../../src/client/client.js';
import { loadClusterConfig, type ClusterConfig } from '../../../src/client/cluster-config.js';
import { tempFolder } from '../temp-folder.js';

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
}

/** Loads a kubeconfig with one cluster and one user; `folder` contains the file. */
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
  test('a cluster entry sets certificate authority, server name and insecure-skip-tls-verify', async () => {
    const cluster = {
      'certificate-authority-data': Buffer.from('PEM').toString('base64'),
      'tls-server-name': 'kubernetes.default',
      'insecure-skip-tls-verify': true,
    };
    const { tls } = (await load({ cluster })).config;
    expect(tls).toMatchObject({ serverName: 'kubernetes.default', insecureSkipVerify: true });
    expect(tls?.ca && 'data' in tls.ca && tls.ca.data.reveal()).toBe('PEM');
  });

  test('files of a cluster entry are relative to the kubeconfig', async () => {
    const { folder, config } = await load({ cluster: { 'certificate-authority': '../ca.crt' } });
    expect(config.tls?.ca).toEqual({ file: join(folder, 'ca.crt') });
  });

  test('data of a cluster entry takes precedence over a file', async () => {
    const cluster = { 'certificate-authority': 'ca.crt', 'certificate-authority-data': 'UEVN' };
    expect((await load({ cluster })).config.tls?.ca).toHaveProperty('data');
  });

  test.each(['not base64!', 'UEV', 'UEVN='])(
    'data of a cluster entry that is not base64 (%s) is an error that names its key',
    async (data) => {
      const promise = load({ cluster: { 'certificate-authority-data': data } });
      await expect(promise).rejects.toThrow('clusters[c].cluster.certificate-authority-data is not base64');
    },
  );
});

describe('the user entry', () => {
  test('a user entry can contain a client certificate', async () => {
    const { folder, config } = await load({ user: { 'client-certificate': 'a.crt', 'client-key': '/b.key' } });
    const expected = { certificate: { file: join(folder, 'sub/a.crt') }, key: { file: '/b.key' } };
    expect(config.tls?.clientCertificate).toEqual(expected);
  });

  test.each(['client-key', 'client-certificate'])(
    'a user entry with %s but without its counterpart is refused',
    async (key) => {
      await expect(load({ user: { [key]: 'x' } })).rejects.toThrow(/users\[u\]\.user\.client-\w+ is missing/);
    },
  );

  test('a user entry can contain token, token file and password', async () => {
    const { auth } = (await load({ user: { token: 't', tokenFile: '/token', username: 'n', password: 'p' } })).config;
    expect([auth?.tokenFile, auth?.token?.reveal(), auth?.basic?.password.reveal()]).toEqual(['/token', 't', 'p']);
  });

  test('a user entry can impersonate another user', async () => {
    const user = { as: 'bob', 'as-uid': '7', 'as-groups': ['dev'], 'as-user-extra': { a: ['1', '2'] } };
    expect((await load({ user })).config.auth?.impersonate).toEqual({
      user: 'bob',
      uid: '7',
      groups: ['dev'],
      extra: new Map([['a', ['1', '2']]]),
    });
  });

  test('a user entry that impersonates groups without a user is refused', async () => {
    await expect(load({ user: { 'as-groups': ['dev'] } })).rejects.toThrow('users[u].user.as is missing');
  });

  test('a user entry can contain a legacy auth provider', async () => {
    const user = { 'auth-provider': { name: 'oidc', config: { 'id-token': 'x' } } };
    const provider = (await load({ user })).config.auth?.authProvider;
    expect([provider?.name, provider?.config.get('id-token')?.reveal()]).toEqual(['oidc', 'x']);
  });
});

describe('the exec entry', () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'get-token', interactiveMode: 'Never' };

  test('an exec entry sets the program with its arguments and environment', async () => {
    const user = { exec: { ...exec, args: ['a'], env: [{ name: 'N', value: 'v' }], installHint: 'apt install it' } };
    const config = (await load({ user })).config.auth?.exec;
    expect(config).toMatchObject({ command: 'get-token', installHint: 'apt install it' });
    expect(config?.args.map((arg) => arg.reveal())).toEqual(['a']);
    expect(config?.env.get('N')?.reveal()).toBe('v');
  });

  test('a relative program of an exec entry is resolved beside the kubeconfig, not in the working directory', async () => {
    const { folder, config } = await load({ user: { exec: { ...exec, command: './bin/x' } } });
    expect(config.auth?.exec?.command).toBe(join(folder, 'sub/bin/x'));
  });

  test('a credential plugin gets the cluster only with provideClusterInfo', async () => {
    const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } };
    const cluster = { extensions: [extension] };
    const told = await load({ cluster, user: { exec: { ...exec, provideClusterInfo: true } } });
    const untold = await load({ cluster, user: { exec } });
    const info: unknown = JSON.parse(told.config.auth?.exec?.clusterInfo?.reveal() ?? '');
    expect(info).toMatchObject({ server: 'https://one', config: { audience: 'a' } });
    expect(untold.config.auth?.exec?.clusterInfo).toBeUndefined();
  });

  test('a credential plugin gets a certificate authority that is in a file', async () => {
    const cluster = { 'certificate-authority': 'ca.crt' };
    const told = await load({ cluster, user: { exec: { ...exec, provideClusterInfo: true } } });
    expect(told.config.auth?.exec?.clusterCaFile).toMatch(/^\/.*\/ca\.crt$/);
  });

  test.each([
    [{ command: undefined }, 'exec.command is missing'],
    [{ apiVersion: undefined }, 'exec.apiVersion is missing'],
    [{ interactiveMode: 'Perhaps' }, 'exec.interactiveMode must be Never, IfAvailable or Always'],
    [{ args: 'x' }, 'exec.args must be a list, but is a string'],
  ])('an exec entry with %j is refused', async (change, message) => {
    const entry = JSON.parse(JSON.stringify({ ...exec, ...change })) as object;
    await expect(load({ user: { exec: entry } })).rejects.toThrow(`users[u].user.${message}`);
  });
});

describe('credentials for a server without TLS', () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'get-token', interactiveMode: 'Never' };

  test.each([
    ['a token', { token: 't' }],
    ['a token file', { tokenFile: '/token' }],
    ['a password', { username: 'u', password: 'p' }],
    ['a plugin', { exec }],
    ['an auth provider', { 'auth-provider': { name: 'oidc', config: {} } }],
  ])('a client does not send %s over http, and logs a warning', async (_what, user) => {
    const { config } = await load({ cluster: { server: 'http://api.example.com:8080' }, user: { ...user, as: 'bob' } });
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (text: string) => void warnings.push(text) };
    const client = new Client(config, { logger });
    client.close();
    expect(Object.keys(client.config.auth ?? {})).toEqual(['impersonate']);
    expect(warnings).toEqual(['credentials are not sent to an API server without TLS: use https']);
  });

  test.each(['https://api.example.com', 'http://127.0.0.1:8001', 'http://localhost:8001', 'http://[::1]:8001'])(
    'a client sends credentials to %s',
    async (server) => {
      const { config } = await load({ cluster: { server }, user: { token: 't' } });
      const client = new Client(config);
      client.close();
      expect(client.config.auth?.token?.reveal()).toBe('t');
    },
  );

  test('a client sends no credentials over http to the loopback address of a proxy', async () => {
    const cluster = { server: 'http://127.0.0.1:8001', 'proxy-url': 'http://proxy:3128' };
    const client = new Client((await load({ cluster, user: { token: 't' } })).config);
    client.close();
    expect(client.config.auth).toEqual({});
  });
});
