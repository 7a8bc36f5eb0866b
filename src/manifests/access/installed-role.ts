import type { Operator } from '../operator.js';
import { configurationPrefix } from '../webhooks/injection-targets.js';
import type { OperatorRole } from './operator-roles.js';

/**
 * The role under the name that it has in the cluster.
 *
 * An operator for some namespaces can be installed several times in a cluster. Roles outside of these namespaces and of its
 * own then contain the namespace of the installation: a binding of the same name would move to the account of the other one.
 */
export function installedRole(
  operator: Pick<Operator, 'name' | 'namespace' | 'watchNamespaces'>,
  role: OperatorRole,
): OperatorRole {
  const { name, namespace, watchNamespaces } = operator;
  const isOwn = role.namespace !== undefined && [namespace, ...watchNamespaces].includes(role.namespace);
  if (watchNamespaces.length === 0 || isOwn) return role;
  const own = `${name}-`;
  if (role.name.startsWith(own))
    return { ...role, name: `${configurationPrefix(operator)}-${role.name.slice(own.length)}` };
  return { ...role, name: `${role.name}-${namespace}` };
}
