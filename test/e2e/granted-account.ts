import { Client, ClusterRole, ClusterRoleBinding, loadClusterConfig, ServiceAccount } from 'kindwright';
import { operatorRoles } from '../../src/manifests/access/operator-roles.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { kubeconfigOf } from './service-account.js';
import type { SuiteControlPlane } from './suite-control-plane.js';

/** Returns a client with the rights that generated manifests give to the operator of these classes, and no others. */
export async function grantedClient(
  cluster: SuiteControlPlane,
  admin: Client,
  name: string,
  classes: readonly (abstract new () => object)[],
): Promise<Client> {
  const namespace = 'default';
  await admin.create(ServiceAccount, { metadata: { name, namespace } });
  const roles = operatorRoles({ name, models: buildResourceModels(classes), watchNamespaces: [] });
  for (const { rules } of roles) await admin.create(ClusterRole, { metadata: { name }, rules: [...rules] });
  await admin.create(ClusterRoleBinding, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  return new Client(await loadClusterConfig({ kubeconfig: await kubeconfigOf(cluster, admin, { namespace, name }) }));
}
