import type { PolicyRule, Verb } from '../../api/policy-rule.js';
import type { RecordedAccess } from '../../client/access/access-record.js';
import { isCheckedWithin, READ, type GrantedRule } from '../../manifests/granted-rules.js';

/** The verbs that a rule grants on one resource, by whether they occurred. */
export interface ResourceUse {
  readonly group: string;
  readonly resource: string;
  readonly used: readonly Verb[];
  readonly unused: readonly Verb[];
}

/** What became of each right of a rule. */
export function usesOf(granted: GrantedRule, recorded: readonly RecordedAccess[]): ResourceUse[] {
  if (isCheckedWithin(granted)) return [];
  const { apiGroups, resources, verbs } = granted.rule;
  return apiGroups.flatMap((group) =>
    resources.map((resource) => {
      const occurred = recorded.filter((access) => concerns({ apiGroups: [group], resources: [resource] }, access));
      const isUsed = (verb: Verb): boolean =>
        occurred.some((access) => verb === '*' || companions(granted, verb).includes(access.verb));
      const used = verbs.filter(isUsed);
      return { group, resource, used, unused: verbs.filter((verb) => !used.includes(verb)) };
    }),
  );
}

/** Whether a rule grants an access. To which names it is limited is not recorded. */
export function grants(rule: PolicyRule, access: RecordedAccess): boolean {
  return (rule.verbs.includes('*') || rule.verbs.some((verb) => verb === access.verb)) && concerns(rule, access);
}

function concerns(
  { apiGroups, resources }: Pick<PolicyRule, 'apiGroups' | 'resources'>,
  { group, resource, url }: RecordedAccess,
): boolean {
  if (url !== undefined) return false;
  const [, subresource] = resource.split('/');
  return (
    [group, '*'].some((name) => apiGroups.includes(name)) &&
    [resource, '*', ...(subresource === undefined ? [] : [`*/${subresource}`])].some((name) => resources.includes(name))
  );
}

/**
 * The verbs that count as one with a verb. Who watches lists too when it has to begin anew, and reads one object to
 * know how it is now: neither happens in every run.
 */
function companions({ origin }: GrantedRule, verb: Verb): readonly string[] {
  const together = origin.decorator === 'Rbac' ? READ.filter((read) => read !== 'get') : READ;
  return together.includes(verb) ? together : [verb];
}
