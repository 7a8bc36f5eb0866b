import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from 'kindwright/testing';
import { ApiEndpoint, type ApiReply } from '../../fidelity/api-endpoint.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';
const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let cluster: SuiteControlPlane;
let api: ApiEndpoint;
beforeAll(async () => {
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  api = new ApiEndpoint(cluster.kubeconfig);
  await grant('only', 'alice', [
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['only'], verbs: ['get', 'list', 'watch'] },
  ]);
  const verbs = ['create', 'update', 'patch', 'get'];
  await grant('owner', 'bob', [
    { apiGroups: [GROUP], resources: ['roles', 'rolebindings'], verbs },
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
  ]);
  await grant('trusted', 'erin', [
    { apiGroups: [GROUP], resources: ['roles'], verbs: ['create', 'escalate'] },
    { apiGroups: [GROUP], resources: ['rolebindings'], verbs: ['create'] },
    { apiGroups: [GROUP], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind'] },
  ]);
  // The server learns of roles a little after it has stored them.
  await eventually(async () => {
    for (const [user, path] of [
      ['alice', `${CONFIG_MAPS}/only`],
      ['bob', '/api/v1/namespaces/default/pods'],
    ] as const)
      expect((await as(user, 'GET', path)).code).not.toBe(403);
    expect((await as('erin', 'POST', `${ROLES}?dryRun=All`, role('erin', [READ_SECRETS]))).code).toBe(201);
  });
}, 60_000);
afterAll(async () => {
  api.close();
  await cluster.stop();
});

const role = (name: string, rules: object[]) => ({ metadata: { name }, rules });
const binding = (name: string, kind: string, refName: string, user = 'zed') => ({
  metadata: { name },
  roleRef: { apiGroup: GROUP, kind, name: refName },
  subjects: [{ kind: 'User', apiGroup: GROUP, name: user }],
});
const READ_SECRETS = { apiGroups: [''], resources: ['secrets', 'pods'], verbs: ['get', 'delete'] };

async function grant(name: string, user: string, rules: object[]): Promise<void> {
  for (const [path, body] of [
    [ROLES, role(name, rules)],
    [BINDINGS, binding(name, 'Role', name, user)],
  ] as const)
    expect((await api.send({ method: 'POST', path, body })).code).toBe(201);
}

function as(user: string, method: string, path: string, body?: unknown): Promise<ApiReply> {
  return api.send({ method, path, body, headers: { 'impersonate-user': user } });
}
const messageOf = ({ body }: ApiReply): string => (body as { message: string }).message;

describe('permissions for one name', () => {
  test.each([
    ['a list', `${CONFIG_MAPS}?fieldSelector=metadata.name%3Donly`],
    ['a watch', `${CONFIG_MAPS}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Donly`],
  ])('a rule with resourceNames permits %s of that name', async (_what, path) => {
    expect((await as('alice', 'GET', path)).code).toBe(200);
  });

  test('a rule with resourceNames does not permit lists of other names', async () => {
    expect((await as('alice', 'GET', CONFIG_MAPS)).code).toBe(403);
    const reply = await as('alice', 'GET', `${CONFIG_MAPS}?fieldSelector=metadata.name%3Dother`);
    expect(messageOf(reply)).toBe(
      'configmaps "other" is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
  });
});

describe('writes of roles', () => {
  test('a user can write roles with the permissions that the user has', async () => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
    expect((await as('bob', 'POST', ROLES, role('given', rules))).code).toBe(201);
    expect((await as('bob', 'POST', BINDINGS, binding('given', 'Role', 'owner'))).code).toBe(201);
  });

  test.each([
    ['POST', ROLES, role('more', [READ_SECRETS])],
    ['PUT', `${ROLES}/owner`, role('owner', [READ_SECRETS])],
  ])('a user cannot grant more than the own permissions by %s', async (method, path, body) => {
    const reply = await as('bob', method, path, body);
    expect(reply.code).toBe(403);
    expect(messageOf(reply)).toContain(
      'user "bob" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}',
    );
  });

  test('a user cannot bind a role with more than the own permissions', async () => {
    const reply = await as('bob', 'POST', BINDINGS, binding('all', 'ClusterRole', 'cluster-admin'));
    expect(reply.code).toBe(403);
    expect(messageOf(reply)).toContain('{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"]');
  });

  test('a user cannot bind a role that does not exist', async () => {
    expect((await as('bob', 'POST', BINDINGS, binding('none', 'Role', 'none'))).code).toBe(404);
  });

  test('a user can change parts of a role other than its rules', async () => {
    const body = { metadata: { finalizers: ['example.com/held'] } };
    const headers = { 'impersonate-user': 'bob' };
    const contentType = 'application/merge-patch+json';
    const reply = await api.send({ method: 'PATCH', path: `${ROLES}/trusted`, body, contentType, headers });
    expect(reply.code).toBe(200);
  });

  test('a user can grant anything with the verb escalate, and bind the roles of the verb bind', async () => {
    expect((await as('erin', 'POST', ROLES, role('all', [READ_SECRETS]))).code).toBe(201);
    expect((await as('erin', 'POST', BINDINGS, binding('view', 'ClusterRole', 'view'))).code).toBe(201);
    expect((await as('erin', 'POST', BINDINGS, binding('node', 'ClusterRole', 'system:node'))).code).toBe(403);
  });
});

describe('impersonation', () => {
  const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const whoAmI = async (headers: Record<string, string>): Promise<unknown> => {
    const reply = await api.send({ method: 'POST', path: REVIEWS, body: {}, headers });
    return reply.code === 201
      ? (reply.body as { status: { userInfo: unknown } }).status.userInfo
      : [reply.code, messageOf(reply)];
  };

  test('an impersonated user has the given groups, commas included, and is known to the server', async () => {
    expect(await whoAmI({ 'impersonate-user': 'x', 'impersonate-group': 'a,b' })).toEqual({
      username: 'x',
      groups: ['a,b', 'system:authenticated'],
    });
  });

  test('impersonating the anonymous user gives only its permissions', async () => {
    const anonymous = { 'impersonate-user': 'system:anonymous' };
    expect(await whoAmI(anonymous)).toEqual([403, expect.stringContaining('User "system:anonymous" cannot create')]);
  });

  test('impersonation requires a user', async () => {
    expect(await whoAmI({ 'impersonate-uid': 'g' })).toEqual([
      400,
      'requested &user.DefaultInfo{Name:"", UID:"g", Groups:[]string(nil), Extra:map[string][]string(nil)} without impersonating a user name',
    ]);
  });
});
