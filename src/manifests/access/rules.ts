import type { WrittenRule } from './merged-rules.js';

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
