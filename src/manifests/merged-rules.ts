import type { PolicyRule, Verb } from '../api/policy-rule.js';

/** Rights on one resource, of all objects or of some by name. */
interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly names: readonly string[];
  readonly verbs: Set<Verb>;
}

/** The same rights in the fewest rules, sorted: one rule for the resources of a group that have the same verbs. */
export function mergedRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const grants = new Map<string, Grant>();
  for (const rule of rules) {
    const names = [...new Set(rule.resourceNames)].sort();
    for (const group of rule.apiGroups) {
      for (const resource of rule.resources) {
        const key = JSON.stringify([group, resource, names]);
        const grant = grants.get(key) ?? { group, resource, names, verbs: new Set<Verb>() };
        rule.verbs.forEach((verb) => grant.verbs.add(verb));
        grants.set(key, grant);
      }
    }
  }
  const sorted = [...grants].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, grant]) => grant);
  const bySameVerbs = Map.groupBy(sorted, ({ group, names, verbs }) => JSON.stringify([group, names, verbsOf(verbs)]));
  return [...bySameVerbs.values()].map(asRule);
}

function asRule(grants: readonly Grant[]): PolicyRule {
  const { group = '', names = [], verbs = new Set<Verb>() } = grants[0] ?? {};
  return {
    apiGroups: [group],
    resources: grants.map(({ resource }) => resource),
    ...(names.length > 0 && { resourceNames: [...names] }),
    verbs: verbsOf(verbs),
  };
}

function verbsOf(verbs: ReadonlySet<Verb>): Verb[] {
  return verbs.has('*') ? ['*'] : [...verbs].sort();
}
