import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { loadClusterConfig } from '../../src/client/cluster-config.js';
import { tempFolder } from './temp-folder.js';

const MINIMAL = `
clusters: [{name: c, cluster: {server: "https://one:6443"}}]
users: [{name: u, user: {token: s3cret}}]
contexts: [{name: x, context: {cluster: c, user: u, namespace: ns}}, {name: second, context: {cluster: c, user: u}}]
current-context: x
`;

function load(text: string | Buffer, options: { context?: string; master?: string } = {}) {
  const file = join(tempFolder({ config: text }), 'config');
  return { file, config: loadClusterConfig({ kubeconfig: file, env: {}, ...options }) };
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error as Error).message,
  );
}

describe('loadClusterConfig', () => {
  test('the configuration has the server, namespace and user of the current context', async () => {
    const { file, config } = load(MINIMAL);
    const { server, namespace, user, source } = await config;
    expect([server.href, namespace, user]).toEqual(['https://one:6443/', 'ns', 'u']);
    expect(source).toBe(`${file}, context x`);
  });

  test('the options select another context and another server', async () => {
    const { config } = load(MINIMAL, { context: 'second', master: '127.0.0.1:8001' });
    expect(await config).toMatchObject({ namespace: undefined, server: new URL('https://127.0.0.1:8001') });
  });

  test('the first of several kubeconfig files that contains an entry is used', async () => {
    const folder = tempFolder({
      a: 'current-context: x\nclusters: [{name: c, cluster: {server: "https://first"}}]',
      b: MINIMAL.replace('current-context: x', 'current-context: second'),
    });
    const KUBECONFIG = ['a', '', 'missing', 'b'].map((name) => name && join(folder, name)).join(':');
    const config = await loadClusterConfig({ env: { KUBECONFIG } });
    expect([config.server.host, config.namespace]).toEqual(['first', 'ns']);
  });

  test('~/.kube/config is read when nothing else is configured', async () => {
    const HOME = tempFolder({ '.kube/config': MINIMAL });
    expect((await loadClusterConfig({ env: { HOME } })).server.host).toBe('one:6443');
  });

  test('a kubeconfig may have a byte order mark and Windows line ends', async () => {
    expect((await load(`\uFEFF${MINIMAL.replaceAll('\n', '\r\n')}`).config).user).toBe('u');
  });

  test('a server without a kubeconfig is a complete configuration', async () => {
    const config = await loadClusterConfig({ master: 'http://127.0.0.1:8080', env: { HOME: tempFolder() } });
    expect(config.server.href).toBe('http://127.0.0.1:8080/');
  });

  test('the proxy of the environment is used unless the kubeconfig has one', async () => {
    const file = join(tempFolder({ config: MINIMAL }), 'config');
    const env = { HTTPS_PROXY: 'http://proxy:3128' };
    expect((await loadClusterConfig({ kubeconfig: file, env })).proxy?.url.host).toBe('proxy:3128');
    const own = load(MINIMAL.replace('"}', '", proxy-url: "http://own:1"}')).config;
    expect((await own).proxy?.url.host).toBe('own:1');
  });
});

describe('errors of loadClusterConfig', () => {
  test('a kubeconfig that does not exist is an error that names it', async () => {
    const file = join(tempFolder(), 'nope');
    expect(await messageOf(loadClusterConfig({ kubeconfig: file }))).toBe(`${file}: the kubeconfig does not exist`);
  });

  test('a missing configuration is an error that lists the ways to configure a cluster', async () => {
    const HOME = tempFolder();
    const error: unknown = await loadClusterConfig({ env: { HOME } }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: `no cluster configured: file not found: ${HOME}/.kube/config` });
    expect(error).toMatchObject({ code: 'E_CONFIG', hint: expect.stringContaining('--kubeconfig') });
  });

  test.each([
    ['an empty file', '', ': the kubeconfig is empty'],
    ['a comment only', '# nothing', ': the kubeconfig is empty'],
    ['a list', '[1]', ': a kubeconfig must be a mapping, but is a list'],
    ['text', 'hello', ': a kubeconfig must be a mapping, but is a string'],
    ['a binary file', Buffer.from([0x7f, 0x45, 0xff, 0xfe]), ': the kubeconfig is not valid UTF-8'],
    ['broken YAML', 'clusters: [\nusers: s3cret: x', ': the kubeconfig is not valid YAML'],
    ['no current-context', MINIMAL.replace('current-context: x', ''), ': current-context is not set'],
    [
      'a missing context',
      MINIMAL.replace('context: x\n', 'context: z\n'),
      ': context z not found; available: x, second',
    ],
    [
      'a missing cluster',
      MINIMAL.replace('name: c,', 'name: d,'),
      ': contexts[x].context.cluster references unknown cluster c; available: d',
    ],
    [
      'a missing user',
      MINIMAL.replace('name: u,', 'name: v,'),
      ': contexts[x].context.user references unknown user u; available: v',
    ],
    ['no server', MINIMAL.replace('server:', 'sever:'), ': clusters[c].cluster.server is missing'],
    ['an invalid server', MINIMAL.replace('https://one', 'ftp://one'), 'cluster.server is not a valid server address'],
    ['a password in the address', MINIMAL.replace('//one', '//u:s3cret@one'), 'must not contain a user or password'],
    [
      'a token that is a number',
      MINIMAL.replace('s3cret', '12'),
      ': users[u].user.token must be a string, but is a number',
    ],
    ['two documents', '{}\n---\n{}', ': the kubeconfig contains more than one YAML document'],
    ['clusters as a mapping', 'clusters: {a: b}', ': clusters must be a list, but is a mapping'],
    ['an entry without a name', 'clusters: [{}]', ': clusters[0].name is missing'],
    [
      'a cluster that is text',
      'clusters: [{name: c, cluster: x}]',
      ': clusters[c].cluster must be a mapping, but is a str',
    ],
  ])('an invalid kubeconfig is refused with its file and the cause: %s', async (_what, text, message) => {
    const { file, config } = load(text);
    const actual = await messageOf(config);
    expect(actual).toContain(message);
    expect(actual.startsWith(file)).toBe(true);
    expect(actual).not.toContain('s3cret');
  });

  test('a folder instead of a kubeconfig is an error that names it', async () => {
    const folder = tempFolder();
    expect(await messageOf(loadClusterConfig({ kubeconfig: folder }))).toBe(`${folder}: the kubeconfig is a folder`);
  });
});

test('a printed configuration contains no secret', async () => {
  const text = MINIMAL.replace(
    'token: s3cret',
    'client-key-data: czNjcmV0, client-certificate-data: czNjcmV0, password: s3cret, username: u',
  );
  expect(inspect(await load(text).config, { depth: Infinity })).not.toMatch(/s3cret|czNjcmV0/);
});
