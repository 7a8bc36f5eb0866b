import type { WrittenRule } from './merged-rules.js';

/** Permissions of leader election on the Lease of this name; create cannot be restricted to a name. */
export function leaderElectionRules(leaseName: string): WrittenRule[] {
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, resourceNames: [leaseName], verbs: ['get', 'update'] },
  ];
}

/** Permissions of `--metrics-auth`: reviews of tokens and of access. */
export const METRICS_AUTH_RULES: readonly WrittenRule[] = [
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
];

/** Permissions of a client that reads the metrics. */
export const METRICS_READER_RULES: readonly WrittenRule[] = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
