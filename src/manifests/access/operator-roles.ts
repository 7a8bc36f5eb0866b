import type { KindRef, Scope } from '../../api/kinds/kind-ref.js';
import * as kinds from '../../api/kinds/kinds.js';
import type { PolicyRule } from '../../api/access/policy-rule.js';
import type { ResourceModel } from '../../resource/model.js';
import { grantedRules, memberRules, type GrantedRule } from './granted-rules.js';
import { mergedRules, type WrittenRule } from './merged-rules.js';
import type { Operator } from '../operator.js';

/** A role that an operator's service account is bound to. */
export interface OperatorRole {
  readonly name: string;
  /** Undefined for a ClusterRole. */
  readonly namespace: string | undefined;
  readonly rules: readonly WrittenRule[];
}

/** The permission to record Events: of every controller, and of the process that keeps the `caBundle` of webhooks. */
export const EVENTS: PolicyRule = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] };

/** The permission to select the namespaces that are watched. */
const NAMESPACES: PolicyRule = { apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch'] };

/**
 * The roles of an operator: the rules derived from the decorators of its kinds, and those of `@Rbac`.
 *
 * For an operator that watches some namespaces they are Roles in these; only cluster-scoped resources are in a
 * ClusterRole.
 */
export function operatorRoles(operator: RoleOwner): OperatorRole[] {
  return rolesOf(operator, operator.models.flatMap(grantedRules));
}

/**
 * The roles that the kubeconfigs of other clusters need there, in the same form: the rules of the classes with `clusters`.
 * Empty without such a class.
 */
export function memberRoles({ name, models, watchNamespaces }: RoleOwner): OperatorRole[] {
  const own = models.filter(({ controller }) => controller.clusters !== undefined);
  return rolesOf({ name, models: own, watchNamespaces }, own.flatMap(memberRules));
}

function rolesOf(operator: RoleOwner, rules: readonly GrantedRule[]): OperatorRole[] {
  const { namespaceArguments = [] } = operator;
  const selection = { name: managerRole(operator), namespace: undefined, rule: NAMESPACES };
  const placements = [
    ...rules.flatMap((rule) => placed(rule, operator)),
    ...events(operator),
    ...(namespaceArguments.length > 0 ? [selection] : []),
  ];
  const byRole = Map.groupBy(placements, ({ namespace = '', name }) => JSON.stringify([namespace, name]));
  const sorted = [...byRole].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ofRole]) => ofRole);
  return sorted.flatMap((ofRole) => {
    const [first] = ofRole;
    if (!first) return [];
    return [{ name: first.name, namespace: first.namespace, rules: mergedRules(ofRole.map(({ rule }) => rule)) }];
  });
}

/** A rule and the role that contains it. */
interface Placement extends Pick<OperatorRole, 'name' | 'namespace'> {
  readonly rule: PolicyRule;
}

type RoleOwner = Pick<Operator, 'name' | 'models' | 'watchNamespaces'> & Partial<Pick<Operator, 'namespaceArguments'>>;

function placed({ rule, scope, namespace, roleName }: GrantedRule, operator: RoleOwner): Placement[] {
  const { watchNamespaces, models } = operator;
  const name = roleName ?? managerRole(operator);
  if (namespace !== undefined || watchNamespaces.length === 0 || rule.nonResourceURLs)
    return [{ name, namespace, rule }];
  return single(rule).flatMap((one) => {
    const isCluster = (scope ?? scopeOf(one, models)) === 'Cluster';
    const namespaces = isCluster ? [undefined] : watchNamespaces;
    return namespaces.map((watched) => ({ name, namespace: watched, rule: one }));
  });
}

/** Events about cluster-scoped objects are in namespace `default`. */
function events(operator: RoleOwner): Placement[] {
  const { watchNamespaces, models } = operator;
  if (!models.some(({ isReconciled }) => isReconciled)) return [];
  const ofCluster = models.some(({ kind }) => kind.scope === 'Cluster') ? ['default'] : [];
  const namespaces = watchNamespaces.length === 0 ? [undefined] : new Set([...watchNamespaces, ...ofCluster]);
  return [...namespaces].map((namespace) => ({ name: managerRole(operator), namespace, rule: EVENTS }));
}

function managerRole({ name }: RoleOwner): string {
  return `${name}-manager-role`;
}

/** A rule for each of its resources, as they may differ in scope. */
function single({ apiGroups, resources, ...rest }: PolicyRule): PolicyRule[] {
  return apiGroups.flatMap((group) =>
    resources.map((resource) => ({ apiGroups: [group], resources: [resource], ...rest })),
  );
}

/** The scope of a resource by its name; unknown ones count as namespaced, which grants the least. */
function scopeOf({ apiGroups, resources }: PolicyRule, models: readonly ResourceModel[]): Scope {
  const known: KindRef[] = [...models.map(({ kind }) => kind), ...Object.values(kinds)];
  const plural = resources[0]?.split('/')[0];
  return known.find((kind) => kind.group === apiGroups[0] && kind.plural === plural)?.scope ?? 'Namespaced';
}
