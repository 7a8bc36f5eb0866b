import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeClock } from '../../src/base/fake-clock.js';
import { ConfigMap, ServiceAccount } from '../../src/api/kinds/kinds.js';
import { Client } from '../../src/client/client.js';
import { loadClusterConfig } from '../../src/client/cluster-config.js';
import { createServingIdentity } from '../../src/pki/certificate.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { clientOfKubeconfig, whoAmI, type Access } from './kubeconfig-client.js';
import { ConnectProxy } from './connect-proxy.js';

const API = 'client.authentication.k8s.io/v1';
const NS = { namespace: 'default' };
/** Valid in form, but signed by no one. */
const WRONG_TOKEN = 'e30.e30.e30';

let cluster: RunningControlPlane;
let admin: Client;
let folder: string;
const closings: (() => unknown)[] = [];

beforeAll(async () => {
  cluster = await startControlPlane({ parts: ['etcd', 'apiserver'] });
  admin = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  for (const name of ['one', 'two']) await admin.create(ServiceAccount, { metadata: { name, ...NS } });
  for (const user of ['alice', 'bob']) await cluster.user(user, 'system:masters');
  folder = mkdtempSync(join(cluster.dir, 'credentials-'));
});

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

afterAll(async () => {
  admin.close();
  rmSync(folder, { recursive: true });
  await cluster.stop();
});

const pki = (name: string): string => join(cluster.dir, 'pki', name);
const file = (name: string): string => join(folder, name);

/** A client with a kubeconfig of its own: by default that of the administrator. */
async function clientWith(access: Access = {}): Promise<Client> {
  const client = await clientOfKubeconfig(cluster, file('config'), access);
  closings.push(() => {
    client.close();
  });
  return client;
}

const nameOf = async (client: Client): Promise<string> => (await whoAmI(client)).username;
const accountName = (name: string): string => `system:serviceaccount:default:${name}`;

async function tokenOf(name: string): Promise<string> {
  const path = `/api/v1/namespaces/default/serviceaccounts/${name}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  return (await admin.request<{ status: { token: string } }>({ method: 'POST', path, body })).status.token;
}

describe('a token file', () => {
  test('a token file that was replaced authenticates as the new account after a minute', async () => {
    const clock = new FakeClock();
    writeFileSync(file('token'), await tokenOf('one'));
    const client = await clientWith({ user: { tokenFile: file('token') }, clock });
    expect(await nameOf(client)).toBe(accountName('one'));
    writeFileSync(file('token'), await tokenOf('two'));
    expect(await nameOf(client)).toBe(accountName('one'));
    await clock.advance(60_000);
    expect(await nameOf(client)).toBe(accountName('two'));
  });

  test('a token file whose token the server rejects is read again for the same request', async () => {
    writeFileSync(file('token'), WRONG_TOKEN);
    const client = await clientWith({ user: { tokenFile: file('token') } });
    await expect(nameOf(client)).rejects.toMatchObject({ status: 401 });
    writeFileSync(file('token'), await tokenOf('one'));
    const names = await Promise.all(Array.from({ length: 20 }, () => nameOf(client)));
    expect(new Set(names)).toEqual(new Set([accountName('one')]));
  });
});

describe('certificate files', () => {
  function copyOf(user: string): object {
    copyFileSync(pki(`${user}.crt`), file('client.crt'));
    copyFileSync(pki(`${user}.key`), file('client.key'));
    return { 'client-certificate': file('client.crt'), 'client-key': file('client.key') };
  }

  /** An open watch, and a function that resolves when the watch delivers a ConfigMap that is created by it. */
  async function openWatch(client: Client, name: string): Promise<() => Promise<void>> {
    const { metadata } = await admin.create(ConfigMap, { metadata: { name: `${name}-1`, ...NS } });
    const watch = client.watch(ConfigMap, { ...NS, resourceVersion: metadata.resourceVersion ?? '' });
    const events = watch[Symbol.asyncIterator]();
    const delivers = async (created: string): Promise<void> => {
      await admin.create(ConfigMap, { metadata: { name: created, ...NS } });
      expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: created } } });
    };
    await delivers(`${name}-2`);
    return () => delivers(`${name}-3`);
  }

  test('certificate files of a client that were replaced are used by new connections, while open watches continue', async () => {
    const clock = new FakeClock();
    const client = await clientWith({ user: copyOf('alice'), clock });
    expect(await nameOf(client)).toBe('alice');
    const watchDelivers = await openWatch(client, 'client');
    copyOf('bob');
    await clock.advance(60_001); // idle connections are not used for longer
    expect(await nameOf(client)).toBe('bob');
    await watchDelivers();
  });

  test('certificate files of a client that do not belong together yet do not replace those that work', async () => {
    const clock = new FakeClock();
    const client = await clientWith({ user: copyOf('alice'), clock });
    expect(await nameOf(client)).toBe('alice');
    copyFileSync(pki('bob.crt'), file('client.crt')); // its key follows
    await clock.advance(60_001);
    expect(await nameOf(client)).toBe('alice');
    copyFileSync(pki('bob.key'), file('client.key'));
    await clock.advance(60_001);
    expect(await nameOf(client)).toBe('bob');
  });

  test('certificate files of another authority stop new connections, not open watches, until they fit the server again', async () => {
    const clock = new FakeClock();
    const [old, other] = [readFileSync(pki('ca.crt'), 'utf8'), createServingIdentity(Date.now()).caPem];
    writeFileSync(file('ca.crt'), old);
    const client = await clientWith({ cluster: { 'certificate-authority': file('ca.crt') }, clock });
    expect(await nameOf(client)).toBe('admin');
    const watchDelivers = await openWatch(client, 'authority');
    writeFileSync(file('ca.crt'), other);
    await clock.advance(60_001);
    await expect(nameOf(client)).rejects.toMatchObject({ reason: 'tls' });
    await watchDelivers();
    writeFileSync(file('ca.crt'), `${other}\n${old}`); // both, as during a rotation
    expect(await nameOf(client)).toBe('admin');
  });
});

describe('a credential plugin', () => {
  /** A plugin that prints the token in `answer`, and notes each run. The next answers are in `answer2`, … */
  function plugin(answers: readonly string[], script = ''): { user: object; runs: () => number } {
    const dir = mkdtempSync(join(folder, 'plugin-'));
    for (const [index, token] of answers.entries()) {
      const printed = { kind: 'ExecCredential', apiVersion: API, status: { token } };
      writeFileSync(join(dir, `answer${index + 1}`), JSON.stringify(printed));
    }
    const text = `#!/bin/sh\ncd "$(dirname "$0")"\necho run >> runs\n${script}\ncat "answer$(wc -l < runs | tr -d ' ')" || cat answer1`;
    writeFileSync(join(dir, 'plugin'), text, { mode: 0o700 });
    chmodSync(join(dir, 'plugin'), 0o700);
    const exec = { apiVersion: API, command: join(dir, 'plugin'), interactiveMode: 'Never' };
    return { user: { exec }, runs: () => readFileSync(join(dir, 'runs'), 'utf8').trim().split('\n').length };
  }

  const fifty = (client: Client): Promise<string[]> => Promise.all(Array.from({ length: 50 }, () => nameOf(client)));

  test('a credential plugin runs once for 50 concurrent requests', async () => {
    const { user, runs } = plugin([await tokenOf('one')]);
    expect(new Set(await fifty(await clientWith({ user })))).toEqual(new Set([accountName('one')]));
    expect(runs()).toBe(1);
  });

  test('a credential plugin runs once more when the server rejects the token of 50 concurrent requests, which all succeed then', async () => {
    const { user, runs } = plugin([WRONG_TOKEN, await tokenOf('one')]);
    expect(new Set(await fifty(await clientWith({ user })))).toEqual(new Set([accountName('one')]));
    expect(runs()).toBe(2);
  });

  test('a credential plugin that prints the rejected token again runs twice for 50 concurrent and 50 later requests', async () => {
    const clock = new FakeClock();
    const { user, runs } = plugin([WRONG_TOKEN, WRONG_TOKEN, await tokenOf('one')]);
    const client = await clientWith({ user, clock });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => nameOf(client)));
    for (let index = 0; index < 50; index++) outcomes.push(...(await Promise.allSettled([nameOf(client)])));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 401 } });
    expect(runs()).toBe(2);
    await clock.advance(10_000);
    expect(await nameOf(client)).toBe(accountName('one'));
    expect(runs()).toBe(3);
  });

  test('a credential plugin that writes to its standard error authenticates', async () => {
    const { user } = plugin([await tokenOf('one')], 'echo "(a message of the credential plugin)" >&2');
    expect(await nameOf(await clientWith({ user }))).toBe(accountName('one'));
  });
});

describe('impersonation', () => {
  test('a kubeconfig with as, as-uid, as-groups and as-user-extra acts as that user with these groups and values', async () => {
    const user = {
      'client-certificate': pki('admin.crt'),
      'client-key': pki('admin.key'),
      as: 'carol',
      'as-uid': '7',
      'as-groups': ['dev', 'ops'],
      'as-user-extra': { 'example.com/scope': ['a', 'b'] },
    };
    const { username, uid, groups, extra } = await whoAmI(await clientWith({ user }));
    expect([username, uid]).toEqual(['carol', '7']);
    expect(groups).toEqual(['dev', 'ops', 'system:authenticated']);
    expect(extra).toEqual({ 'example.com/scope': ['a', 'b'] });
  });
});

describe('tls-server-name', () => {
  test('tls-server-name is the name that the certificate of the server must have, in place of its address', async () => {
    const name = (value: string): Access => ({ cluster: { 'tls-server-name': value } });
    expect(await nameOf(await clientWith(name('kubernetes.default.svc')))).toBe('admin');
    const wrong = await clientWith(name('other.example.com'));
    await expect(nameOf(wrong)).rejects.toMatchObject({ reason: 'tls' });
  });
});

describe('a proxy', () => {
  /** A server address that only the proxy can resolve. */
  const hidden = (): object => ({
    server: `https://api.cluster.invalid:${cluster.server.port}`,
    'tls-server-name': 'localhost',
  });
  const target = (): string => `api.cluster.invalid:${cluster.server.port}`;

  async function proxy(...options: Parameters<typeof ConnectProxy.start>): Promise<ConnectProxy> {
    const started = await ConnectProxy.start(...options);
    closings.push(() => {
      started.close();
    });
    return started;
  }

  test('a proxy of proxy-url with user and password carries requests and watches', async () => {
    const through = await proxy({ password: 'p@ss' });
    const client = await clientWith({ cluster: { ...hidden(), 'proxy-url': through.url('user:p%40ss@') } });
    expect(await nameOf(client)).toBe('admin');
    for await (const { type } of client.watch(ConfigMap, NS)) {
      expect(type).toBe('ADDED');
      break;
    }
    expect(new Set(through.targets)).toEqual(new Set([target()]));
  });

  test('a proxy that rejects the password is an error that does not contain it', async () => {
    const through = await proxy({ password: 'right' });
    const client = await clientWith({ cluster: { ...hidden(), 'proxy-url': through.url('user:wr0ng@') } });
    const error = await nameOf(client).catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ reason: 'proxy', message: expect.stringContaining(': 407') });
    expect(String(error)).not.toContain('wr0ng');
  });

  test('a proxy of HTTPS_PROXY is used, but not for servers that NO_PROXY excludes', async () => {
    const through = await proxy({ password: 'p' });
    const env = { HTTPS_PROXY: through.url('user:p@') };
    expect(await nameOf(await clientWith({ cluster: hidden(), env }))).toBe('admin');
    expect(through.targets).toEqual([target()]);
    const direct = await clientWith({ cluster: hidden(), env: { ...env, NO_PROXY: '.cluster.invalid' } });
    await expect(nameOf(direct)).rejects.toMatchObject({ reason: 'dns' });
    expect(through.targets).toEqual([target()]);
  });

  test('a proxy of proxy-url is used in place of HTTPS_PROXY', async () => {
    const [own, other] = [await proxy(), await proxy()];
    const env = { HTTPS_PROXY: other.url() };
    expect(await nameOf(await clientWith({ cluster: { ...hidden(), 'proxy-url': own.url() }, env }))).toBe('admin');
    expect([own.targets.length, other.targets.length]).toEqual([1, 0]);
  });

  test.each(['127.0.0.1', 'localhost'])(
    'a proxy with HTTPS at %s may have a certificate of the authority of the cluster',
    async (host) => {
      const tls = { cert: readFileSync(pki('apiserver.crt')), key: readFileSync(pki('apiserver.key')) };
      const through = await proxy({ tls });
      const client = await clientWith({ cluster: { ...hidden(), 'proxy-url': through.url('', host) } });
      expect(await nameOf(client)).toBe('admin');
      expect(through.targets).toEqual([target()]);
    },
  );

  test('a proxy with HTTPS and a certificate of an unknown authority gets no request', async () => {
    const { certPem: cert, keyPem: key } = createServingIdentity(Date.now());
    const through = await proxy({ tls: { cert, key } });
    const client = await clientWith({ cluster: { ...hidden(), 'proxy-url': through.url() } });
    await expect(nameOf(client)).rejects.toMatchObject({ reason: 'proxy' });
    expect(through.targets).toEqual([]);
  });
});
