import type { PolicyRule } from './policy-rule.js';

/** What a rule is to cover: a resource of a group, or a path that is none. */
export interface RuleTarget {
  readonly group: string;
  /** With its subresource: `pods/log`. */
  readonly resource: string;
  readonly url?: string | undefined;
}

/** Whether a rule is about a target, whatever its verbs and names. */
export function isAbout(
  { apiGroups = [], resources = [], nonResourceURLs = [] }: Partial<PolicyRule>,
  { group, resource, url }: RuleTarget,
): boolean {
  if (url !== undefined) return nonResourceURLs.some((pattern) => matchesUrl(pattern, url));
  const [, subresource] = resource.split('/');
  return (
    [group, '*'].some((name) => apiGroups.includes(name)) &&
    [resource, '*', ...(subresource === undefined ? [] : [`*/${subresource}`])].some((name) => resources.includes(name))
  );
}

/** Whether a rule covers a verb on a target, whatever its names. */
export function covers(
  rule: Partial<PolicyRule> & Pick<PolicyRule, 'verbs'>,
  target: RuleTarget & { readonly verb: string },
): boolean {
  return rule.verbs.some((verb) => verb === '*' || verb === target.verb) && isAbout(rule, target);
}

/** As `nonResourceURLMatches` of k8s.io/component-helpers/auth/rbac/validation. */
function matchesUrl(pattern: string, url: string): boolean {
  return pattern === url || (pattern.endsWith('*') && url.startsWith(pattern.slice(0, -1)));
}
