import type { PolicyRule, Verb } from '../api/policy-rule.js';
import type { ResourceModel } from '../resource/model.js';
import { grantedRules, READ, resourceRule } from './granted-rules.js';
import { mergedRules } from './merged-rules.js';

/** What an operator may do: what follows from the decorators of its kinds, and what `@Rbac` adds. */
export function operatorRules(models: readonly ResourceModel[]): PolicyRule[] {
  return mergedRules([...models.flatMap(grantedRules).map(({ rule }) => rule), EVENTS]);
}

/** Every controller may record events. */
const EVENTS: PolicyRule = { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] };

/** What people need who make and change objects of the kinds. */
export function editorRules(models: readonly ResourceModel[]): PolicyRule[] {
  return userRules(models, [...READ, 'create', 'update', 'patch', 'delete']);
}

/** What people need who look at objects of the kinds. */
export function viewerRules(models: readonly ResourceModel[]): PolicyRule[] {
  return userRules(models, READ);
}

function userRules(models: readonly ResourceModel[], verbs: readonly Verb[]): PolicyRule[] {
  return mergedRules(
    models.flatMap(({ kind, hasStatus }) => [
      resourceRule(kind, '', verbs),
      ...(hasStatus ? [resourceRule(kind, '/status', ['get'])] : []),
    ]),
  );
}

/** What leader election needs: the Lease of this name; a right to create cannot be limited to a name. */
export function leaderElectionRules(leaseName: string): PolicyRule[] {
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, resourceNames: [leaseName], verbs: ['get', 'update'] },
  ];
}

/** What `--metrics-auth` needs: to ask whose a token is, and what that user may do. */
export const METRICS_AUTH_RULES: readonly PolicyRule[] = [
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
];
