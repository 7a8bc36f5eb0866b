import type { KubeObject } from '../../api/objects/kube-object.js';
import { operatorRoles } from '../../manifests/access/operator-roles.js';
import type { ResourceModel } from '../../resource/model.js';

const RBAC = 'rbac.authorization.k8s.io';
const VERSION = `${RBAC}/v1`;
const LEASES = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['create', 'get', 'update', 'list', 'delete'],
};

/** The identity of the operator in a world: the ServiceAccount of its generated manifests. */
export interface OperatorIdentity {
  readonly namespace: string;
  readonly account: string;
}

export function identityOf(models: readonly ResourceModel[]): OperatorIdentity {
  const { name = 'operator', namespace = 'default' } = models[0]?.controller ?? {};
  return { namespace, account: `${name}-controller-manager` };
}

/** The namespace, the account and the roles that the generated manifests give the operator. */
export function accessObjects(models: readonly ResourceModel[]): KubeObject[] {
  const { namespace, account } = identityOf(models);
  const name = models[0]?.controller.name ?? 'operator';
  const roles = operatorRoles({ name, models, watchNamespaces: [] });
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace }];
  const all = [...roles, { name: `${name}-leader-election`, namespace, rules: [LEASES] }];
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } },
    ...all.flatMap((role) => {
      const kind = role.namespace === undefined ? 'ClusterRole' : 'Role';
      const metadata = { name: role.name, ...(role.namespace !== undefined && { namespace: role.namespace }) };
      return [
        { apiVersion: VERSION, kind, metadata, rules: role.rules },
        { apiVersion: VERSION, kind: `${kind}Binding`, metadata, subjects, roleRef: { apiGroup: RBAC, kind, name: role.name } },
      ];
    }),
  ];
  return objects as unknown as KubeObject[];
}
