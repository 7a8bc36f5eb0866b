import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Secret as SecretKind } from '../../src/api/kinds/kinds.js';
import { stringifyYaml } from '../../src/base/yaml.js';
import type { Client } from '../../src/client/client.js';
import { loadClusterConfig, type ClusterConfig } from '../../src/client/cluster-config.js';
import { createServingIdentity } from '../../src/pki/certificate.js';
import { chunk, failure, json, STREAM_HEAD } from './scripted-server.js';
import { tempFolder } from './temp-folder.js';
import { clientOf, scripted, until } from './test-client.js';

const SECRET = 'planted-c4n4ry';
const EXEC_API = 'client.authentication.k8s.io/v1';
const identity = createServingIdentity(Date.now());

/** The middle of the private key: its first line and its end are the same in every key. */
const KEY_LINE = identity.keyPem.split('\n')[1] ?? '';

/** Returns all that a program can print of a value. */
function printed(value: unknown): string {
  const texts = [inspect(value, { depth: 12, maxStringLength: null }), String(value)];
  if (value instanceof Error) texts.push(value.stack ?? '', JSON.stringify(value), printed(value.cause ?? ''));
  return texts.join('\n');
}

function assertSecrecy(value: unknown, secret = SECRET): void {
  const text = printed(value);
  for (const form of [secret, Buffer.from(secret).toString('base64').slice(0, -4), Buffer.from(secret).toString('hex')])
    expect(text).not.toContain(form);
}

async function configOf(user: object, cluster: object = {}, server = 'https://127.0.0.1:1'): Promise<ClusterConfig> {
  const text = stringifyYaml({
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
  return loadClusterConfig({ kubeconfig: join(tempFolder({ config: text }), 'config'), env: {} });
}

function program(script: string): string {
  const file = join(tempFolder({ plugin: `#!/bin/sh\n${script}` }), 'plugin');
  chmodSync(file, 0o700);
  return file;
}

function execUser(script: string, env: object[] = [], more: object = {}): object {
  return { exec: { apiVersion: EXEC_API, command: program(script), interactiveMode: 'Never', env, ...more } };
}

const credential = (status: object): string =>
  `echo '${JSON.stringify({ kind: 'ExecCredential', apiVersion: EXEC_API, status })}'`;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Users whose credentials are valid, with the secret that must not be printed. */
const USERS: readonly (readonly [string, () => object, string])[] = [
  ['a token', () => ({ token: SECRET }), SECRET],
  ['a token file', () => ({ tokenFile: join(tempFolder({ token: SECRET }), 'token') }), SECRET],
  ['a password', () => ({ username: 'u', password: SECRET }), SECRET],
  ['the token of a plugin', () => execUser(credential({ token: SECRET })), SECRET],
  ['the environment of a plugin', () => execUser(credential({ token: 't' }), [{ name: 'KEY', value: SECRET }]), SECRET],
  ['the arguments of a plugin', () => execUser(credential({ token: 't' }), [], { args: [SECRET] }), SECRET],
  ['a token of a user to impersonate', () => ({ token: SECRET, as: 'bob', 'as-groups': ['g'] }), SECRET],
  [
    'a client key',
    () => ({
      'client-certificate-data': base64(identity.certPem),
      'client-key-data': base64(identity.keyPem),
    }),
    KEY_LINE,
  ],
  [
    'the file of a client key',
    () => {
      const folder = tempFolder({ cert: identity.certPem, key: identity.keyPem });
      return { 'client-certificate': join(folder, 'cert'), 'client-key': join(folder, 'key') };
    },
    KEY_LINE,
  ],
  [
    'the client key of a plugin',
    () => {
      const pair = { clientCertificateData: identity.certPem, clientKeyData: identity.keyPem };
      return execUser(
        `cat <<'EOF'\n${JSON.stringify({ kind: 'ExecCredential', apiVersion: EXEC_API, status: pair })}\nEOF`,
      );
    },
    KEY_LINE,
  ],
];

const TLS = { key: identity.keyPem, cert: identity.certPem };
const CA = { 'certificate-authority-data': base64(identity.caPem) };

describe('the text of a client', () => {
  test.each(USERS)(
    'a printed client does not contain %s, with a request in flight and after it',
    async (_what, user, secret) => {
      let answer: (() => void) | undefined;
      const server = await scripted((_request, socket) => {
        const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' };
        answer = () => socket.write(json({ kind: 'Secret', apiVersion: 'v1', metadata }));
      }, TLS);
      const config = await configOf(user(), CA, server.url.href);
      assertSecrecy(config, secret);
      const client = clientOf(server, config);
      const got = client.get(SecretKind, 'a', { namespace: 'n' });
      await until(() => answer !== undefined);
      assertSecrecy(client, secret);
      answer?.();
      await got;
      assertSecrecy(client, secret);
    },
  );

  test('a printed client does not contain the password of a proxy', async () => {
    const config = await configOf({}, { 'proxy-url': `http://user:${SECRET}@127.0.0.1:1` });
    assertSecrecy(config);
    const server = await scripted(() => undefined);
    const client = clientOf(server, config);
    assertSecrecy(client);
    assertSecrecy(await rejection(client.get(SecretKind, 'a', { namespace: 'n' })));
  });

  test('a printed client does not contain what its plugin receives of the cluster', async () => {
    const user = execUser(credential({ token: 't' }), [], { provideClusterInfo: true });
    const extension = { name: 'client.authentication.k8s.io/exec', extension: { key: SECRET } };
    const server = await scripted(() => undefined);
    for (const cluster of [{ extensions: [extension] }, { 'proxy-url': `http://user:${SECRET}@127.0.0.1:1` }]) {
      const config = await configOf(user, cluster);
      assertSecrecy(config);
      assertSecrecy(JSON.stringify(config));
      assertSecrecy(clientOf(server, config));
    }
  });

  // On Node 22 a printed client contains the titles of all tests, by the asynchronous contexts of jest.
  test.each([
    'https://admin:<secret>@bad host',
    'ftp://host/<secret>',
    'ftp://a/b:<secret>@host',
    `https://host:${'9'.repeat(6)}?token=<secret>`,
    'https://u:<secret>@host',
  ])('the error for the invalid server address %s quotes its scheme and host only', async (address) => {
    const server = address.replace('<secret>', SECRET);
    assertSecrecy(await rejection(configOf({}, {}, server)));
    assertSecrecy(await rejection(configOf({}, { 'proxy-url': server.replace('https', 'socks') })));
  });

  test('a printed client does not contain an object that is sent or received', async () => {
    const sockets: Socket[] = [];
    const server = await scripted((_request, socket) => sockets.push(socket));
    const client = clientOf(server);
    const object = { metadata: { name: 'a', namespace: 'n' }, stringData: { password: SECRET.repeat(9000) } };
    const created = client.create(SecretKind, object);
    await until(() => sockets.length === 1);
    assertSecrecy(client);
    const text = json({
      kind: 'Secret',
      apiVersion: 'v1',
      ...object,
      metadata: { ...object.metadata, uid: 'u', resourceVersion: '1' },
    });
    sockets[0]?.write(text.slice(0, -40));
    const [socket] = sockets as [Socket];
    if (socket.writableNeedDrain) await once(socket, 'drain');
    assertSecrecy(client);
    socket.write(text.slice(-40));
    await created;
    assertSecrecy(client);
  });
});

describe('the error of a plugin', () => {
  test.each([
    ['failed', `echo ${SECRET}; exit 1`],
    ['printed no JSON', `echo ${SECRET}`],
    ['printed another kind', `echo '{"kind":"${SECRET}"}'`],
    ['printed another version', `echo '{"kind":"ExecCredential","apiVersion":"${SECRET}"}'`],
    ['printed no token', credential({ clientKeyData: SECRET })],
    ['printed a token with a line break', credential({ token: `${SECRET}\\n` })],
    ['printed a wrong time', credential({ token: 't', expirationTimestamp: SECRET })],
    [
      'printed an invalid key',
      credential({
        clientCertificateData: identity.certPem.replaceAll('\n', '\\n'),
        clientKeyData: `-----BEGIN KEY-----${SECRET}`,
      }),
    ],
  ])('the error of a credential plugin that %s does not contain its output', async (_what, script) => {
    const server = await scripted(() => undefined, TLS);
    const client = clientOf(server, await configOf(execUser(script), CA, server.url.href));
    assertSecrecy(await rejection(client.get(SecretKind, 'a', { namespace: 'n' })));
    assertSecrecy(client);
  });
});

describe('the error of a request', () => {
  const object = { metadata: { name: 'a', namespace: 'n' }, stringData: { password: SECRET } };

  test.each([
    ['a refusal', (socket: Socket) => socket.write(failure(403, 'Forbidden', 'secrets is forbidden'))],
    ['a lost connection', (socket: Socket) => socket.destroy()],
    ['a half response', (socket: Socket) => socket.end(json({ data: SECRET }).slice(0, -4))],
    ['a response that is not JSON', (socket: Socket) => socket.write(json({ data: SECRET }).replace('{', '['))],
    ['a response that is not HTTP', (socket: Socket) => socket.write('SSH-2.0\r\n\r\n')],
    ['a response with a malformed header', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nno header\r\n\r\n')],
    ['a response that is not an object', (socket: Socket) => socket.write(json(SECRET))],
  ])('the error of a request after %s does not contain the credentials or the object', async (_what, answer) => {
    const server = await scripted((_request, socket) => void answer(socket));
    const client = clientOf(server, await configOf({ token: SECRET }, {}, server.url.href));
    assertSecrecy(await rejection(client.create(SecretKind, object)));
    assertSecrecy(client);
  });

  test('the error of a watch does not contain the line that it cannot decode', async () => {
    const line = `{"type":"ADDED","object":{"kind":"Secret","metadata":{"name":"a"},"data":{"p":"${SECRET}"}}\n`;
    const server = await scripted((_request, socket) => void socket.write(STREAM_HEAD + chunk(line)));
    const client = clientOf(server);
    assertSecrecy(await rejection(watchOne(client)));
  });
});

async function watchOne(client: Client): Promise<void> {
  await client.streamWatch(SecretKind, { resourceVersion: '1' }, () => undefined);
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => error,
  );
}
