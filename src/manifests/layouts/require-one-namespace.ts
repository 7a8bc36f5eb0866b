import { OperatorError } from '../../base/operator-error.js';
import type { OperatorManifests } from './operator-manifests.js';

/**
 * Kustomize and Helm put every object of an operator into one namespace that is chosen when it is installed.
 *
 * @throws OperatorError when a role is for another.
 */
export function requireOneNamespace({ operator, roles }: OperatorManifests): void {
  if (operator.watchNamespaces.length > 0) throw refusal('an operator of some namespaces has roles in each of them');
  const stray = roles.find(({ metadata: { namespace = operator.namespace } }) => namespace !== operator.namespace);
  if (!stray) return;
  const { name, namespace = '' } = stray.metadata;
  throw refusal(`role ${name} is for namespace ${namespace}, and the operator runs in ${operator.namespace}`);
}

function refusal(problem: string): OperatorError {
  return new OperatorError(problem, {
    code: 'E_LAYOUT',
    hint: 'only --layout plain has roles in several namespaces',
  });
}
