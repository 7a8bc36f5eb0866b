import type { Verb } from '../api/policy-rule.js';
import type { ResourceModel } from '../resource/model.js';
import { READ, resourceRule } from './granted-rules.js';
import { mergedRules, type WrittenRule } from './merged-rules.js';

/** What people need who make and change objects of the kinds. */
export function editorRules(models: readonly ResourceModel[]): WrittenRule[] {
  return userRules(models, [...READ, 'create', 'update', 'patch', 'delete']);
}

/** What people need who look at objects of the kinds. */
export function viewerRules(models: readonly ResourceModel[]): WrittenRule[] {
  return userRules(models, READ);
}

function userRules(models: readonly ResourceModel[], verbs: readonly Verb[]): WrittenRule[] {
  return mergedRules(
    models.flatMap(({ kind, hasStatus }) => [
      resourceRule(kind, '', verbs),
      ...(hasStatus ? [resourceRule(kind, '/status', ['get'])] : []),
    ]),
  );
}

/** What leader election needs: the Lease of this name; a right to create cannot be limited to a name. */
export function leaderElectionRules(leaseName: string): WrittenRule[] {
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, resourceNames: [leaseName], verbs: ['get', 'update'] },
  ];
}

/** What `--metrics-auth` needs: to ask whose a token is, and what that user may do. */
export const METRICS_AUTH_RULES: readonly WrittenRule[] = [
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
];

/** What who reads the metrics needs. */
export const METRICS_READER_RULES: readonly WrittenRule[] = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
