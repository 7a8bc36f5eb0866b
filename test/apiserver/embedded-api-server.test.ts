import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { kubeconfigOf, text, TestServer } from './api-client.js';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

describe('the server', () => {
  test('the server writes a kubeconfig that only its owner can read', () => {
    expect(statSync(api.server.kubeconfig).mode & 0o777).toBe(0o600);
    expect(kubeconfigOf(api)).toContain(api.server.url);
  });

  test('the server listens on the loopback address only', () => {
    expect(new URL(api.server.url).hostname).toBe('127.0.0.1');
  });

  test('the server removes its kubeconfig when it stops', async () => {
    const other = await TestServer.start();
    await other.stop();
    expect(existsSync(other.server.kubeconfig)).toBe(false);
  });

  test('the server continues after a response that could not be written', async () => {
    const failing = jest.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(() => {
      throw new Error('not written');
    });
    await expect(api.send('GET', '/version')).rejects.toThrow('socket hang up');
    failing.mockRestore();
    expect((await api.send('GET', '/version')).code).toBe(200);
  });

  test('the server stops although a connected client has sent nothing', async () => {
    const other = await TestServer.start();
    const silent = connect(Number(new URL(other.server.url).port), '127.0.0.1');
    await once(silent, 'connect');
    await other.send('GET', '/readyz'); // accepted after the silent one
    await other.stop();
    await once(silent, 'close');
  });

  test('the server rejects an invalid port', async () => {
    await expect(TestServer.start({ port: 70_000 })).rejects.toThrow('port 70000 is out of range');
  });

  test('the server rejects a kubeconfig that cannot be written, and releases its data', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kindwright-kubeconfig-'));
    const kubeconfig = join(dataDir, 'kindwright.db', 'kubeconfig');
    await expect(TestServer.start({ dataDir, kubeconfig })).rejects.toMatchObject({
      code: 'E_KUBECONFIG',
      message: expect.stringContaining(`${kubeconfig} cannot be written: EEXIST`),
    });
    const next = await TestServer.start({ dataDir });
    await next.stop();
    rmSync(dataDir, { recursive: true });
  });

  test('two servers are independent', async () => {
    const other = await TestServer.start();
    await other.send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'only-there' },
    });
    const here = await api.send('GET', '/api/v1/namespaces/only-there');
    await other.stop();
    expect(here.code).toBe(404);
  });
});

describe('access', () => {
  test('a request without a token is rejected for the anonymous user', async () => {
    expect((await api.send('GET', '/api', undefined, { authorization: '' })).code).toBe(403);
  });

  test('a request with an unknown token is rejected', async () => {
    expect((await api.send('GET', '/api', undefined, { authorization: 'Bearer nope' })).code).toBe(401);
  });

  test.each([
    ['a foreign Host', { host: 'evil.example.com' }],
    ['a foreign Origin', { origin: 'https://evil.example.com' }],
    ['a request another site started', { 'sec-fetch-site': 'cross-site' }],
  ])('access is rejected for %s', async (_what, headers) => {
    expect((await api.send('GET', '/api', undefined, headers)).code).toBe(403);
  });

  test('a rejected request names verb, resource and user', async () => {
    const reply = await api.send('GET', '/api/v1/namespaces/default/pods', undefined, { 'impersonate-user': 'jane' });
    expect(reply.body.message).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });

  test('access follows roles and bindings', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    await api.send('POST', `${rbac}/roles`, {
      apiVersion,
      kind: 'Role',
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
    });
    const subjects = [{ kind: 'User', name: 'john', apiGroup: 'rbac.authorization.k8s.io' }];
    await api.send('POST', `${rbac}/rolebindings`, {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: 'r' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects,
    });
    expect(
      (await api.send('GET', '/api/v1/namespaces/default/pods', undefined, { 'impersonate-user': 'john' })).code,
    ).toBe(200);
    expect(
      (await api.send('GET', '/api/v1/namespaces/default/secrets', undefined, { 'impersonate-user': 'john' })).code,
    ).toBe(403);
  });

  test('a service account authenticates with a token of the server', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await api.send('POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
    const issued = await api.send('POST', `${accounts}/robot/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const token = text(issued.body.status!.token);
    const who = await api.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review, {
      authorization: `Bearer ${token}`,
    });
    expect(who.body.status!.userInfo!.username).toBe('system:serviceaccount:default:robot');
  });
});

describe('discovery', () => {
  test('discovery lists every built-in version', async () => {
    const { body } = await api.send('GET', '/apis');
    const names = (body.groups as unknown as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['apps', 'batch', 'rbac.authorization.k8s.io', 'node.k8s.io']));
  });

  test('discovery is aggregated on request', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { body } = await api.send('GET', '/apis', undefined, { accept });
    expect(body.kind).toBe('APIGroupDiscoveryList');
  });

  test('the server has the OpenAPI documents for kubectl explain', async () => {
    const index = await api.send('GET', '/openapi/v3');
    const url = text(index.body.paths!['apis/apps/v1']!.serverRelativeURL);
    expect(
      JSON.stringify((await api.send('GET', url)).body.components!.schemas!['io.k8s.api.apps.v1.Deployment']),
    ).toContain('description');
  });

  test('discovery of an unknown group returns 404 as text', async () => {
    const reply = await api.send('GET', '/apis/nope.example.com/v1/things');
    expect([reply.code, text(reply.body.text)]).toEqual([404, '404 page not found\n']);
  });
});
