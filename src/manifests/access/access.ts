import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { commonLabels } from '../labels.js';
import type { Operator } from '../operator.js';
import { resourceRule } from './granted-rules.js';
import { mergedRules, type WrittenRule } from './merged-rules.js';
import { memberRoles, type OperatorRole, operatorRoles } from './operator-roles.js';
import { installedRole } from './installed-role.js';
import { certificateRoles } from './certificate-roles.js';
import { consoleRole, consoleUserRoles, REVIEW_RULES, servesConsole } from './console-roles.js';
import { userRoles } from './user-roles.js';

const RBAC_VERSION = 'rbac.authorization.k8s.io/v1';

/** The namespace, which enforces the restricted Pod Security Standard. */
export function namespaceObject(operator: Operator): UnstructuredObject {
  const levels = ['audit', 'enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']);
  const labels = { ...commonLabels(operator), ...(Object.fromEntries(levels) as Record<string, string>) };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: operator.namespace, labels } };
}

export function serviceAccountName({ name, serviceAccount }: Pick<Operator, 'name' | 'serviceAccount'>): string {
  return serviceAccount ?? `${name}-controller-manager`;
}

/** Returns true if one of the operator's processes leads: only controllers need that, webhooks are served by all. */
export function isElected(operator: Operator): boolean {
  return hasControllers(operator) && operator.deployment.sharding !== true;
}

/** Returns true if each process of the operator reconciles a part of the objects. */
export function isSharded(operator: Operator): boolean {
  return hasControllers(operator) && operator.deployment.sharding === true;
}

/** Returns true if the operator reconciles objects of other clusters. */
export function hasMembers({ models }: Operator): boolean {
  return models.some(({ controller }) => controller.clusters !== undefined);
}

function hasControllers({ models }: Operator): boolean {
  return models.some(({ isReconciled }) => isReconciled);
}

/** The name of the Lease for leader election. */
export function leaseName({ name }: Operator): string {
  return `${name}-leader`;
}

/** The name of the Lease that coordinates the replicas of an operator with sharding. */
export function shardGroup({ name }: Operator): string {
  return `${name}-shards`;
}

export function serviceAccount(operator: Operator): UnstructuredObject {
  const { namespace } = operator;
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: serviceAccountName(operator), namespace, labels: commonLabels(operator) },
  };
}

/** The operator's own roles, and those for users. */
export function roles(operator: Operator): UnstructuredObject[] {
  const ofConsole = servesConsole(operator) ? consoleUserRoles(operator) : [];
  const all = [
    ...ownRoles(operator),
    ...userRoles(operator),
    ...ofConsole.map((each) => installedRole(operator, each)),
  ];
  return all.map((each) => role(operator, each));
}

/** The permissions that `--metrics-auth` requires, and a role for clients that read the metrics. */
export function metricsRoles(operator: Operator): UnstructuredObject[] {
  const named = (part: string, rules: readonly WrittenRule[]): OperatorRole =>
    installedRole(operator, { name: `${operator.name}-${part}-role`, namespace: undefined, rules });
  const auth = named('metrics-auth', REVIEW_RULES);
  const reader = named('metrics-reader', METRICS_READER_RULES);
  return [role(operator, auth), binding(operator, auth), role(operator, reader)];
}

/**
 * The permissions that `--console-bind-address` requires, and roles for users of the console. Empty if the arguments of the
 * settings contain it: then they are among the roles of the operator.
 */
export function consoleRoles(operator: Operator): UnstructuredObject[] {
  if (servesConsole(operator)) return [];
  const own = installedRole(operator, consoleRole(operator));
  const users = consoleUserRoles(operator).map((each) => installedRole(operator, each));
  return [role(operator, own), binding(operator, own), ...users.map((each) => role(operator, each))];
}

/** Binds the operator's own roles to its service account. */
export function roleBindings(operator: Operator): UnstructuredObject[] {
  return ownRoles(operator).map((own) => binding(operator, own));
}

/**
 * The account of the operator in the other clusters of classes with `clusters`, and its permissions there. Empty without such
 * a class.
 */
export function memberObjects(operator: Operator): UnstructuredObject[] {
  const own = memberRoles(operator).map((each) => installedRole(operator, each));
  if (own.length === 0) return [];
  return [
    namespaceObject(operator),
    serviceAccount(operator),
    ...own.map((each) => role(operator, each)),
    ...own.map((each) => binding(operator, each)),
  ];
}

/** An account that can delete all objects of kinds, where the operator watches them; it is not that of the operator. */
export function deletionAccess(operator: Operator, kinds: readonly KindRef[], account: string): UnstructuredObject[] {
  const { namespace, watchNamespaces } = operator;
  const rulesOf = (chosen: readonly KindRef[]): WrittenRule[] =>
    mergedRules(chosen.map((kind) => resourceRule(kind, '', ['delete', 'list'])));
  const ofCluster = kinds.filter(({ scope }) => scope === 'Cluster');
  const everywhere = rulesOf(watchNamespaces.length === 0 ? kinds : ofCluster);
  const ofNamespaces = rulesOf(kinds.filter((kind) => !ofCluster.includes(kind)));
  const named = (where: string | undefined, granted: readonly WrittenRule[]): OperatorRole =>
    installedRole(operator, { name: `${account}-role`, namespace: where, rules: granted });
  const own = [
    ...(everywhere.length > 0 ? [named(undefined, everywhere)] : []),
    ...(ofNamespaces.length > 0 ? watchNamespaces.map((watched) => named(watched, ofNamespaces)) : []),
  ];
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(operator, account, namespace) },
    ...own.map((each) => role(operator, each)),
    ...own.map((each) => binding(operator, each, account)),
  ];
}

function ownRoles(operator: Operator): OperatorRole[] {
  const { name, namespace } = operator;
  const rules = leaderElectionRules(leaseName(operator));
  const all = [
    ...(isElected(operator) ? [{ name: `${name}-leader-election-role`, namespace, rules }] : []),
    ...(isSharded(operator) ? [{ name: `${name}-sharding-role`, namespace, rules: SHARDING_RULES }] : []),
    ...operatorRoles(operator),
    ...certificateRoles(operator),
    ...(servesConsole(operator) ? [consoleRole(operator)] : []),
  ];
  return all.map((each) => installedRole(operator, each));
}

function role(operator: Operator, { name, namespace, rules }: OperatorRole): UnstructuredObject {
  return {
    apiVersion: RBAC_VERSION,
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: metadata(operator, name, namespace),
    rules,
  };
}

function binding(
  operator: Operator,
  { name, namespace }: OperatorRole,
  account = serviceAccountName(operator),
): UnstructuredObject {
  const prefix = namespace === undefined ? 'Cluster' : '';
  return {
    apiVersion: RBAC_VERSION,
    kind: `${prefix}RoleBinding`,
    metadata: metadata(operator, `${name.replace(/-role$/, '')}-rolebinding`, namespace),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: `${prefix}Role`, name },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: operator.namespace }],
  };
}

function metadata(operator: Operator, name: string, namespace: string | undefined) {
  return { name, ...(namespace !== undefined && { namespace }), labels: commonLabels(operator) };
}

/** Permissions of leader election on the Lease of this name; create cannot be restricted to a name. */
function leaderElectionRules(leaseName: string): WrittenRule[] {
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, resourceNames: [leaseName], verbs: ['get', 'update'] },
  ];
}

/** Permissions of sharding: each replica has a Lease with a name of its own, which others delete after a crash. */
const SHARDING_RULES: readonly WrittenRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'delete', 'list', 'update'] },
];

/** Permissions of a client that reads the metrics. */
const METRICS_READER_RULES: readonly WrittenRule[] = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
