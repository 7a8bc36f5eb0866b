import type { KindRef } from '../api/kind-ref.js';
import type { PolicyRule, Verb } from '../api/policy-rule.js';
import type { ResourceModel } from '../resource/model.js';
import { mergedRules } from './merged-rules.js';

const READ: readonly Verb[] = ['get', 'list', 'watch'];

/** What an operator may do: what follows from the decorators of its kinds, and what `@Rbac` adds. */
export function operatorRules(models: readonly ResourceModel[]): PolicyRule[] {
  return mergedRules([...models.flatMap(derivedRules), ...models.flatMap(({ rules }) => rules), EVENTS]);
}

/** Every controller may record events. */
const EVENTS: PolicyRule = { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] };

function derivedRules({ kind, hasStatus, finalizers, owns, watches }: ResourceModel): PolicyRule[] {
  const hasFinalizers = finalizers.length > 0;
  const rules = [rule(kind, '', hasFinalizers ? [...READ, 'patch'] : READ)];
  if (hasStatus) rules.push(rule(kind, '/status', ['get', 'update', 'patch']));
  // An owner reference that blocks the owner's deletion needs this, where the API server checks it.
  if (hasFinalizers || owns.length > 0) rules.push(rule(kind, '/finalizers', ['update']));
  const owned = owns.map(({ kind: child, verbs }) => rule(child, '', verbs));
  return [...rules, ...owned, ...watches.map(({ kind: watched }) => rule(watched, '', READ))];
}

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
      rule(kind, '', verbs),
      ...(hasStatus ? [rule(kind, '/status', ['get'])] : []),
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

function rule({ group, plural }: KindRef, subresource: string, verbs: readonly Verb[]): PolicyRule {
  return { apiGroups: [group], resources: [plural + subresource], verbs: [...verbs] };
}
