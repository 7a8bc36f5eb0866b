import type { PolicyRule } from './policy-rule.js';

/** The lists of a rule; in JSON, they can be missing or null. */
type RuleLists = { readonly [Field in keyof PolicyRule]?: readonly string[] | null };

/** A resource of a group, or a non-resource URL. */
export interface RuleTarget {
  readonly group: string;
  /** The resource with its subresource: `pods/log`. */
  readonly resource: string;
  readonly url?: string | undefined;
}

/** Reports whether a rule matches a target, regardless of verbs and names. */
export function isAbout(
  { apiGroups, resources, nonResourceURLs }: RuleLists,
  { group, resource, url }: RuleTarget,
): boolean {
  if (url !== undefined) return nonResourceURLs?.some((pattern) => matchesUrl(pattern, url)) === true;
  if (!has(apiGroups, group)) return false;
  const [, subresource] = resource.split('/');
  return has(resources, resource) || (subresource !== undefined && resources?.includes(`*/${subresource}`) === true);
}

/** Reports whether a rule covers a verb on a target, regardless of names. */
export function covers(rule: RuleLists, target: RuleTarget & { readonly verb: string }): boolean {
  return has(rule.verbs, target.verb) && isAbout(rule, target);
}

function has(list: readonly string[] | null | undefined, value: string): boolean {
  return list?.some((item) => item === value || item === '*') === true;
}

/** Implements NonResourceURLMatches of k8s.io/kubernetes/pkg/apis/rbac/v1: trailing `*` characters are one wildcard. */
function matchesUrl(pattern: string, url: string): boolean {
  return pattern === url || (pattern.endsWith('*') && url.startsWith(pattern.replace(/\*+$/, '')));
}
