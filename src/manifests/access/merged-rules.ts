import type { PolicyRule, Verb } from '../../api/access/policy-rule.js';

/** A rule as written, without members that do not apply. */
export type WrittenRule = Partial<PolicyRule> & Pick<PolicyRule, 'verbs'>;

/** Permissions on one resource, for all or named objects; or on a path. */
interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly isUrl: boolean;
  readonly names: readonly string[];
  readonly verbs: Set<Verb>;
}

/** The same permissions in the fewest rules, sorted: one rule for the resources of a group with the same verbs. */
export function mergedRules(rules: readonly PolicyRule[]): WrittenRule[] {
  const grants = new Map<string, Grant>();
  for (const rule of rules) {
    for (const grant of grantsOf(rule)) {
      const key = JSON.stringify([grant.isUrl, grant.group, grant.resource, grant.names]);
      const { verbs } = grants.get(key) ?? grant;
      rule.verbs.forEach((verb) => verbs.add(verb));
      grants.set(key, { ...grant, verbs });
    }
  }
  const sorted = [...grants].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, grant]) => grant);
  const bySameVerbs = Map.groupBy(sorted, ({ isUrl, group, names, verbs }) =>
    JSON.stringify([isUrl, group, names, verbsOf(verbs)]),
  );
  return [...bySameVerbs.values()].map(asRule);
}

function grantsOf({ apiGroups, resources, resourceNames, nonResourceURLs = [] }: PolicyRule): Grant[] {
  const names = [...new Set(resourceNames)].sort();
  const grant = (group: string, resource: string, isUrl: boolean): Grant => ({
    group,
    resource,
    isUrl,
    names,
    verbs: new Set<Verb>(),
  });
  return [
    ...apiGroups.flatMap((group) => resources.map((resource) => grant(group, resource, false))),
    ...nonResourceURLs.map((url) => grant('', url, true)),
  ];
}

function asRule(grants: readonly Grant[]): WrittenRule {
  const { group = '', names = [], isUrl = false, verbs = new Set<Verb>() } = grants[0] ?? {};
  const resources = grants.map(({ resource }) => resource);
  if (isUrl) return { nonResourceURLs: resources, verbs: verbsOf(verbs) };
  return {
    apiGroups: [group],
    resources,
    ...(names.length > 0 && { resourceNames: [...names] }),
    verbs: verbsOf(verbs),
  };
}

function verbsOf(verbs: ReadonlySet<Verb>): Verb[] {
  return verbs.has('*') ? ['*'] : [...verbs].sort();
}
