import type { UnstructuredObject } from '../api/kube-object.js';
import type { PolicyRule } from '../api/policy-rule.js';
import { commonLabels } from './labels.js';
import type { Operator } from './operator.js';
import { editorRules, leaderElectionRules, METRICS_AUTH_RULES, operatorRules, viewerRules } from './rules.js';

const RBAC_VERSION = 'rbac.authorization.k8s.io/v1';

/** The namespace, which holds every pod in it to the restricted Pod Security Standard. */
export function namespaceObject(operator: Operator): UnstructuredObject {
  const levels = ['audit', 'enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']);
  const labels = { ...commonLabels(operator), ...(Object.fromEntries(levels) as Record<string, string>) };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: operator.namespace, labels } };
}

export function serviceAccountName({ name }: Operator): string {
  return `${name}-controller-manager`;
}

/** The Lease that replicas contend for. */
export function leaseName({ name }: Operator): string {
  return `${name}-leader`;
}

export function serviceAccount(operator: Operator): UnstructuredObject {
  const { namespace } = operator;
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: serviceAccountName(operator), namespace, labels: commonLabels(operator) },
  };
}

/** The operator's own roles, and those to give to people. */
export function roles(operator: Operator): UnstructuredObject[] {
  const { models, namespace } = operator;
  return [
    role(operator, 'leader-election-role', leaderElectionRules(leaseName(operator)), namespace),
    role(operator, 'manager-role', operatorRules(models)),
    role(operator, 'editor-role', editorRules(models)),
    role(operator, 'viewer-role', viewerRules(models)),
  ];
}

/** What `--metrics-auth` needs, and a role for those who may read the metrics. */
export function metricsRoles(operator: Operator): UnstructuredObject[] {
  const reader = { nonResourceURLs: ['/metrics'], verbs: ['get'] };
  return [
    role(operator, 'metrics-auth-role', METRICS_AUTH_RULES),
    binding(operator, 'metrics-auth'),
    { ...role(operator, 'metrics-reader-role', []), rules: [reader] },
  ];
}

/** Gives the operator's own roles to its service account. */
export function roleBindings(operator: Operator): UnstructuredObject[] {
  return [binding(operator, 'leader-election', operator.namespace), binding(operator, 'manager')];
}

function role(
  operator: Operator,
  suffix: string,
  rules: readonly PolicyRule[],
  namespace?: string,
): UnstructuredObject {
  return {
    apiVersion: RBAC_VERSION,
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: metadata(operator, suffix, namespace),
    rules,
  };
}

function binding(operator: Operator, part: string, namespace?: string): UnstructuredObject {
  const prefix = namespace === undefined ? 'Cluster' : '';
  return {
    apiVersion: RBAC_VERSION,
    kind: `${prefix}RoleBinding`,
    metadata: metadata(operator, `${part}-rolebinding`, namespace),
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: `${prefix}Role`,
      name: `${operator.name}-${part}-role`,
    },
    subjects: [{ kind: 'ServiceAccount', name: serviceAccountName(operator), namespace: operator.namespace }],
  };
}

function metadata(operator: Operator, suffix: string, namespace: string | undefined) {
  return {
    name: `${operator.name}-${suffix}`,
    ...(namespace !== undefined && { namespace }),
    labels: commonLabels(operator),
  };
}
