import type { PolicyRule } from '../api/policy-rule.js';
import { grantedRules, type GrantedRule } from './granted-rules.js';
import { mergedRules, type WrittenRule } from './merged-rules.js';
import type { Operator } from './operator.js';

/** A role that an operator's service account is bound to. */
export interface OperatorRole {
  readonly name: string;
  /** Undefined for a ClusterRole. */
  readonly namespace: string | undefined;
  readonly rules: readonly WrittenRule[];
}

/** Every controller may record events. */
const EVENTS: PolicyRule = { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] };

/** The roles that hold what an operator may do: what follows from the decorators of its kinds, and what `@Rbac` adds. */
export function operatorRoles({ name, models }: Pick<Operator, 'name' | 'models'>): OperatorRole[] {
  const managerRole = `${name}-manager-role`;
  const granted = models.flatMap(grantedRules).map((rule) => placed(rule, managerRole));
  const all = [...granted, { name: managerRole, namespace: undefined, rule: EVENTS }];
  const byRole = Map.groupBy(all, (placement) => JSON.stringify([placement.namespace ?? '', placement.name]));
  const sorted = [...byRole].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, placements]) => placements);
  return sorted.flatMap((placements) => {
    const [first] = placements;
    if (!first) return [];
    const { name: roleName, namespace } = first;
    return [{ name: roleName, namespace, rules: mergedRules(placements.map(({ rule }) => rule)) }];
  });
}

/** A rule, and the role it goes into. */
interface Placement extends Pick<OperatorRole, 'name' | 'namespace'> {
  readonly rule: PolicyRule;
}

function placed({ rule, namespace, roleName }: GrantedRule, managerRole: string): Placement {
  return { name: roleName ?? managerRole, namespace, rule };
}
