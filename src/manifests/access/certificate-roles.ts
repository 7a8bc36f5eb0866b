import type { Operator } from '../operator.js';
import { authoritySecretName, injectionTargets } from '../webhooks/injection-targets.js';
import { hasWebhooks } from '../webhooks/webhook-objects.js';
import type { WrittenRule } from './merged-rules.js';
import { EVENTS, type OperatorRole } from './operator-roles.js';

/**
 * The roles of an operator that issues the certificates of its webhooks: its Secret, and the objects with a `caBundle`,
 * each by name. They do not permit to create Secrets, because a Secret could hold the token of any account.
 *
 * Events about these objects are in the namespaces of the operator and `default`; a controller for all namespaces has the
 * permission already.
 */
export function certificateRoles(operator: Operator): OperatorRole[] {
  const { name: operatorName, namespace, certificates } = operator;
  if (certificates !== 'self' || !hasWebhooks(operator)) return [];
  const { mutating, validating, definitions } = injectionTargets(operator);
  const name = `${operatorName}-webhook-certificates-role`;
  const secret = { apiGroups: [''], resources: ['secrets'], resourceNames: [authoritySecretName(operator)] };
  const rules = [
    ...injectionRules('admissionregistration.k8s.io', 'mutatingwebhookconfigurations', mutating),
    ...injectionRules('admissionregistration.k8s.io', 'validatingwebhookconfigurations', validating),
    ...injectionRules('apiextensions.k8s.io', 'customresourcedefinitions', definitions),
  ];
  const hasEvents = operator.watchNamespaces.length === 0 && operator.models.some(({ isReconciled }) => isReconciled);
  const own = hasEvents ? [] : [EVENTS];
  const ofCluster = hasEvents || namespace === 'default' ? [] : [EVENTS];
  return [
    { name, namespace, rules: [{ ...secret, verbs: ['get', 'update'] }, ...own] },
    { name, namespace: undefined, rules },
    ...ofCluster.map((rule) => ({ name: `${operatorName}-webhook-events-role`, namespace: 'default', rules: [rule] })),
  ];
}

function injectionRules(group: string, resource: string, names: readonly string[]): WrittenRule[] {
  if (names.length === 0) return [];
  return [{ apiGroups: [group], resources: [resource], resourceNames: [...names], verbs: ['get', 'patch', 'watch'] }];
}
