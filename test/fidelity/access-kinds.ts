import type { Chooser } from './chooser.js';
import type { RandomAction, RandomKind } from './random-kind.js';

const RBAC = 'rbac.authorization.k8s.io';

function rule(choose: Chooser): object {
  return {
    ...choose.maybe(0.95, { verbs: choose.pick([['get'], ['get', 'list'], ['*'], []]) }),
    ...choose.maybe(0.9, { apiGroups: choose.pick([[''], ['apps']]), resources: choose.pick([['pods'], ['*'], []]) }),
    ...choose.maybe(0.1, { resourceNames: ['one'] }),
    ...choose.maybe(0.1, { nonResourceURLs: ['/healthz'] }),
  };
}

const role: RandomKind = {
  title: 'Role',
  apiVersion: `${RBAC}/v1`,
  kind: 'Role',
  plural: 'roles',
  body: (choose) => choose.maybe(0.9, { rules: choose.pick([[rule(choose)], [rule(choose), rule(choose)], []]) }),
  change: (choose) => ({ rules: choose.pick([[rule(choose)], null]) }),
  operations: (choose) => [{ op: 'add', path: '/rules/-', value: rule(choose) }],
};

function subject(choose: Chooser): object {
  return {
    kind: choose.pick(['User', 'Group', 'ServiceAccount', 'Odd']),
    ...choose.maybe(0.9, { name: choose.pick(['alice', 'bob']) }),
    ...choose.maybe(0.4, { namespace: 'fidelity' }),
    ...choose.maybe(0.2, { apiGroup: choose.pick([RBAC, 'odd', '']) }),
  };
}

const roleBinding: RandomKind = {
  title: 'RoleBinding',
  apiVersion: `${RBAC}/v1`,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  body: (choose) => ({
    ...choose.maybe(0.9, { subjects: choose.pick([[subject(choose)], [subject(choose), subject(choose)], []]) }),
    ...choose.maybe(0.97, {
      roleRef: {
        ...choose.maybe(0.8, { apiGroup: RBAC }),
        kind: choose.pick(['Role', 'Role', 'ClusterRole', 'Odd']),
        ...choose.maybe(0.95, { name: choose.pick(['r', 'r', 's']) }),
      },
    }),
  }),
  change: (choose) =>
    choose.pick([{ subjects: null }, { subjects: [subject(choose)] }, { roleRef: { name: 'other' } }]),
  operations: (choose) => [{ op: 'remove', path: choose.pick(['/subjects', '/subjects/0', '/roleRef']) }],
};

const token: RandomAction = {
  name: 'token',
  body: (choose) => ({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {
      ...choose.maybe(0.5, { audiences: choose.pick([['a'], ['a', 'b'], []]) }),
      ...choose.maybe(0.5, { expirationSeconds: choose.pick([600, 3600, 10, -1]) }),
    },
  }),
};

const serviceAccount: RandomKind = {
  title: 'ServiceAccount',
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  actions: [token],
  body: (choose) => ({
    ...choose.maybe(0.4, { secrets: choose.pick([[{ name: 'a' }], [{ name: 'a' }, { name: 'b' }], []]) }),
    ...choose.maybe(0.4, { imagePullSecrets: [{ name: choose.pick(['p', 'q']) }] }),
    ...choose.maybe(0.3, { automountServiceAccountToken: choose.pick([true, false]) }),
  }),
  change: (choose) =>
    choose.pick([{ secrets: [{ name: 'c' }] }, { imagePullSecrets: null }, { automountServiceAccountToken: false }]),
  operations: (choose) => [{ op: choose.pick(['add', 'remove']), path: '/secrets', value: [{ name: 'd' }] }],
};

const clusterRole: RandomKind = {
  ...role,
  title: 'ClusterRole',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  isClusterScoped: true,
  body: (choose) => ({
    ...role.body(choose),
    ...choose.maybe(0.1, {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { x: choose.pick(['a', 'b']) } }] },
    }),
  }),
};

const clusterRoleBinding: RandomKind = {
  ...roleBinding,
  title: 'ClusterRoleBinding',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  isClusterScoped: true,
};

export const ACCESS_KINDS: readonly RandomKind[] = [role, roleBinding, clusterRole, clusterRoleBinding, serviceAccount];
