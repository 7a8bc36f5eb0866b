import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import { ConfigMap, Deployment, Namespace, Node, ServiceAccount } from '../../../src/api/kinds/kinds.js';
import { parseYaml, stringifyYaml } from '../../../src/base/yaml.js';
import {
  AlreadyExistsError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidError,
  NotFoundError,
  UnauthorizedError,
} from '../../../src/client/api-error.js';
import { Client } from '../../../src/client/client.js';
import { loadClusterConfig } from '../../../src/client/cluster-config.js';
import { Secret } from '../../../src/client/secret.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

const Widget: KindRef = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' };
const NS = { namespace: 'default' };

let cluster: SuiteControlPlane;
let client: Client;

beforeAll(async () => {
  // Compacted versions cannot be watched from any more, once the API server has dropped them from its cache.
  const apiserverArgs = ['--etcd-compaction-interval=1s'];
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'], apiserverArgs });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});

afterAll(async () => {
  client.close();
  await cluster.stop();
});

beforeEach(async () => {
  await client.request({ method: 'DELETE', path: '/api/v1/namespaces/default/configmaps' });
});

function configMap(name: string, data: Record<string, string> = {}) {
  return { metadata: { name, ...NS }, data };
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no error',
    (error: unknown) => error,
  );
}

/** A client that has a token instead of the administrator's certificate. */
function bearing(token: string): Client {
  const { ca } = client.config.tls!;
  return new Client({ ...client.config, tls: { ca: ca! }, auth: { token: new Secret(token) } });
}

describe('an object', () => {
  test('an object is created, read, replaced and deleted', async () => {
    const created = await client.create(ConfigMap, configMap('a', { x: '1' }));
    created.data = { y: '2' };
    await client.update(ConfigMap, created);
    expect((await client.get(ConfigMap, 'a', NS)).data).toEqual({ y: '2' });
    await client.delete(ConfigMap, 'a', NS);
    expect(await errorOf(client.get(ConfigMap, 'a', NS))).toBeInstanceOf(NotFoundError);
  });

  test('a cluster-scoped object needs no namespace', async () => {
    await client.create(Node, { metadata: { name: 'n' } });
    expect((await client.get(Node, 'n')).metadata.name).toBe('n');
    await client.delete(Node, 'n');
  });

  test('an object that exists cannot be created', async () => {
    await client.create(ConfigMap, configMap('a'));
    const error = await errorOf(client.create(ConfigMap, configMap('a')));
    expect(error).toBeInstanceOf(AlreadyExistsError);
    expect(error).toMatchObject({ message: 'configmaps "a" already exists', status: 409 });
  });

  test('an object that changed in the meantime cannot be replaced', async () => {
    const old = await client.create(ConfigMap, configMap('a'));
    await client.patch(ConfigMap, 'a', { data: { x: '1' } }, NS);
    expect(await errorOf(client.update(ConfigMap, old))).toBeInstanceOf(ConflictError);
  });

  test('a delete with the uid of another incarnation fails', async () => {
    await client.create(ConfigMap, configMap('a'));
    const error = await errorOf(client.delete(ConfigMap, 'a', { ...NS, preconditions: { uid: 'other' } }));
    expect(error).toBeInstanceOf(ConflictError);
  });

  test('an invalid object is rejected with the field', async () => {
    const error = await errorOf(client.create(ConfigMap, configMap('A_B')));
    expect(error).toBeInstanceOf(InvalidError);
    expect(error).toMatchObject({ details: { causes: [{ field: 'metadata.name' }] } });
  });

  test('a dry run does not create an object', async () => {
    expect((await client.create(ConfigMap, configMap('a'), { dryRun: true })).metadata.uid).toBeDefined();
    expect(await errorOf(client.get(ConfigMap, 'a', NS))).toBeInstanceOf(NotFoundError);
  });
});

describe('a patch', () => {
  test.each([
    ['merge', { data: { x: null, z: '3' } }],
    [
      'json',
      [
        { op: 'remove', path: '/data/x' },
        { op: 'add', path: '/data/z', value: '3' },
      ],
    ],
    ['strategic', { data: { x: null, z: '3' } }],
  ] as const)('a patch of type %s changes the fields it contains', async (type, patch) => {
    await client.create(ConfigMap, configMap('a', { x: '1', y: '2' }));
    const patched = await client.patch(ConfigMap, 'a', patch, { ...NS, type });
    expect(patched.data).toEqual({ y: '2', z: '3' });
  });

  test('a patch of a subresource changes nothing else', async () => {
    const labels = { app: 'a' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    await client.create(Deployment, { metadata: { name: 'd', ...NS }, spec });
    const patch = { spec: { replicas: 5 }, status: { observedGeneration: 7 } };
    const patched = await client.patch(Deployment, 'd', patch, { ...NS, subresource: 'status' });
    expect([patched.spec?.replicas, patched.status?.observedGeneration]).toEqual([1, 7]);
  });
});

describe('apply', () => {
  test('apply stores every character of a string, also those that YAML folds or rejects', async () => {
    const text = 'a\u2028 b\u2029 c\u0085d\u007fe\u009ff\ufeffg\u00a0h\r\n\ti\ud83d\ude00 \\u2028';
    expect((await client.apply(ConfigMap, configMap('characters', { text }))).data).toEqual({ text });
  });

  test('apply creates an object, owns its fields and removes those that are no longer applied', async () => {
    await client.apply(ConfigMap, configMap('a', { x: '1', y: '2' }));
    await client.patch(ConfigMap, 'a', { data: { theirs: '9' } }, { ...NS, fieldManager: 'they' });
    expect((await client.apply(ConfigMap, configMap('a', { x: '1' }))).data).toEqual({ x: '1', theirs: '9' });
  });

  test('apply of fields of another manager is a conflict, unless forced', async () => {
    await client.apply(ConfigMap, configMap('a', { x: '1' }), { fieldManager: 'they' });
    const error = await errorOf(client.apply(ConfigMap, configMap('a', { x: '2' })));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.x' }] } });
    expect((await client.apply(ConfigMap, configMap('a', { x: '2' }), { force: true })).data).toEqual({ x: '2' });
  });
});

describe('a kind that is not served', () => {
  test.each([
    ['get', () => client.get(Widget, 'a', NS)],
    ['list', () => client.list(Widget)],
    ['watch', () => client.streamWatch(Widget, {}, () => undefined)],
    ['apply', () => client.apply(Widget, { metadata: { name: 'a', ...NS } })],
    ['get of a served group', () => client.get({ ...Deployment, plural: 'deploymentz' }, 'a', NS)],
    ['list of an unknown version', () => client.list({ ...Deployment, version: 'v9' })],
  ])('the errors of a kind that is not served and of a missing object differ: %s', async (_what, act) => {
    const error = await errorOf(act());
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ isResourceMissing: true });
    expect((error as Error).message).toMatch(/^the server could not find the requested resource \((GET|PATCH) /);
  });

  test('client.serves returns false for a kind that is not served', async () => {
    const served = await Promise.all([Widget, Deployment, ConfigMap].map((kind) => client.serves(kind)));
    expect(served).toEqual([false, true, true]);
  });
});

describe('a list', () => {
  test('a list reads more objects than one page holds, at one resourceVersion', async () => {
    const names = Array.from({ length: 1203 }, (_, index) => `c-${String(index).padStart(4, '0')}`);
    for (let from = 0; from < names.length; from += 100) {
      await Promise.all(names.slice(from, from + 100).map((name) => client.create(ConfigMap, configMap(name))));
    }
    const { items, resourceVersion } = await client.list(ConfigMap, {
      ...NS,
      fieldSelector: 'metadata.name!=kube-root-ca.crt',
    });
    expect(items.map((item) => item.metadata.name)).toEqual(names);
    expect(items[0]).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
    expect(Number(resourceVersion)).toBeGreaterThanOrEqual(Number(items.at(-1)?.metadata.resourceVersion));
  });

  test('a list contains the objects that match the selectors', async () => {
    await client.create(ConfigMap, { metadata: { name: 'a', ...NS, labels: { tier: 'db' } } });
    await client.create(ConfigMap, { metadata: { name: 'b', ...NS, labels: { tier: 'web' } } });
    const expression = { key: 'tier', operator: 'In' as const, values: ['db', 'cache'] };
    const { items } = await client.list(ConfigMap, { labelSelector: { matchExpressions: [expression] } });
    expect(items.map((item) => item.metadata.name)).toEqual(['a']);
  });
});

describe('a watch', () => {
  test('a watch returns the changes since a resourceVersion and ends after its timeout', async () => {
    const { resourceVersion } = await client.list(ConfigMap, NS);
    await client.create(ConfigMap, configMap('a'));
    await client.patch(ConfigMap, 'a', { data: { x: '1' } }, NS);
    await client.delete(ConfigMap, 'a', NS);
    const events: string[] = [];
    await client.streamWatch(ConfigMap, { ...NS, resourceVersion, timeoutSeconds: 1 }, (type, { metadata }) => {
      if (type !== 'BOOKMARK') events.push(`${type} ${metadata.name}`);
    });
    expect(events).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  test('a watch can begin with the existing objects and a bookmark after them', async () => {
    await client.create(ConfigMap, configMap('a', { x: '1' }));
    const seen: unknown[] = [];
    const options = { ...NS, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    for await (const { type, object } of client.watch(ConfigMap, options)) {
      if (type === 'BOOKMARK') {
        expect(object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
        break;
      }
      seen.push([type, object.kind, object.metadata.name]);
      expect(JSON.stringify(object)).not.toContain('managedFields');
    }
    expect(seen).toContainEqual(['ADDED', 'ConfigMap', 'a']);
  });

  test('a watch from an expired resourceVersion ends with GoneError', async () => {
    const { resourceVersion } = (await client.create(ConfigMap, configMap('a'))).metadata;
    for (let round = 0; round < 3; round++) {
      await client.patch(ConfigMap, 'a', { data: { round: String(round) } }, NS);
      await delay(1100); // a round of compaction
    }
    await cluster.stopPart('apiserver', 'SIGKILL');
    await cluster.startPart('apiserver');
    const ended = client.streamWatch(ConfigMap, { ...NS, resourceVersion }, () => undefined);
    expect(await errorOf(ended)).toBeInstanceOf(GoneError);
  });
});

describe('users', () => {
  test('a ServiceAccount authenticates with its token', async () => {
    const account = { metadata: { name: 'bot', ...NS } };
    await client.create(ServiceAccount, account);
    const token = await client.create(
      ServiceAccount,
      { ...account, kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1' },
      { subresource: 'token' },
    );
    const { status } = token as unknown as { status: { token: string } };
    const bot = bearing(status.token);
    const error = await errorOf(bot.list(ConfigMap, NS));
    bot.close();
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error).toMatchObject({
      message:
        'configmaps is forbidden: User "system:serviceaccount:default:bot" cannot list resource "configmaps" in API group "" in the namespace "default"',
    });
  });

  test('a user can impersonate another user', async () => {
    const kubeconfig = join(cluster.dir, 'impersonating.kubeconfig');
    const parsed = parseYaml(readFileSync(cluster.kubeconfig, 'utf8'), 'admin') as { users: { user: object }[] };
    Object.assign(parsed.users[0]!.user, {
      as: 'alice',
      'as-groups': ['dev'],
      'as-user-extra': { 'example.com/team': ['a'] },
    });
    writeFileSync(kubeconfig, stringifyYaml(parsed));
    const alice = new Client(await loadClusterConfig({ kubeconfig }));
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { status } = await alice.request<{ status: { userInfo: object } }>({ method: 'POST', path, body: review });
    alice.close();
    expect(status.userInfo).toMatchObject({ username: 'alice', extra: { 'example.com/team': ['a'] } });
    expect(status.userInfo).toMatchObject({ groups: expect.arrayContaining(['dev']) });
  });

  test('an invalid token is rejected', async () => {
    const nobody = bearing('junk');
    expect(await errorOf(nobody.list(Namespace))).toBeInstanceOf(UnauthorizedError);
    nobody.close();
  });
});

test('a restart of the API server causes no error in reads', async () => {
  await cluster.stopPart('apiserver', 'SIGKILL');
  const reading = client.request({ method: 'GET', path: '/api/v1/namespaces/default', retries: 50 });
  await cluster.startPart('apiserver');
  expect(await reading).toMatchObject({ kind: 'Namespace' });
});

test('the error for plain HTTP to the port of the API server has a hint', async () => {
  const { host } = client.config.server;
  const plain = new Client({ server: new URL(`http://${host}`), namespace: undefined, source: 'test', user: '' });
  expect(await errorOf(plain.list(ConfigMap))).toMatchObject({ status: 400, hint: 'use https:// in the address' });
  plain.close();
});
