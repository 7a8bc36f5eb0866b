import { covers } from '../../api/access/rule-covers.js';
import { goQuoted } from '../../base/go-quoted.js';
import { arrayAt, type JsonObject } from '../objects/api-object.js';

/** A rule with one verb, for one resource or one non-resource URL. */
interface SingleRule {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly resourceName?: string;
  readonly url?: string;
}

/** Returns the rules of `wanted` that `owned` does not allow, formatted like Kubernetes. */
export function missingRules(owned: readonly JsonObject[], wanted: readonly JsonObject[]): string[] {
  const missing = wanted.flatMap(singleRules).filter((single) => !owned.some((rule) => allows(rule, single)));
  return [...new Set(compacted(missing))].sort();
}

/** Splits a rule in the order of BreakdownRule. */
function singleRules(rule: JsonObject): SingleRule[] {
  const [verbs, names] = [textsAt(rule, 'verbs'), textsAt(rule, 'resourceNames')];
  const ofResources = textsAt(rule, 'apiGroups').flatMap((group) =>
    textsAt(rule, 'resources').flatMap((resource) =>
      verbs.flatMap((verb): SingleRule[] =>
        names.length === 0
          ? [{ verb, group, resource }]
          : names.map((resourceName) => ({ verb, group, resource, resourceName })),
      ),
    ),
  );
  return [...ofResources, ...textsAt(rule, 'nonResourceURLs').flatMap((url) => verbs.map((verb) => ({ verb, url })))];
}

/** Reports whether a rule allows a verb on a resource or URL. */
export function allows(rule: JsonObject, single: SingleRule): boolean {
  const { verb, group = '', resource = '', resourceName, url } = single;
  if (!covers(rule, { verb, group, resource, url })) return false;
  const names = url === undefined ? textsAt(rule, 'resourceNames') : [];
  return names.length === 0 || (resourceName !== undefined && names.includes(resourceName));
}

/** Merges rules that differ only in their verbs. */
function compacted(rules: readonly SingleRule[]): string[] {
  const groups = Map.groupBy(rules, ({ verb, group, resource, resourceName, url }) =>
    JSON.stringify([group, resource, resourceName, url, url === undefined ? '' : verb]),
  );
  return [...groups.values()].map(([first, ...more]) => (first ? described(first, more) : ''));
}

function described({ verb, group, resource, resourceName, url }: SingleRule, more: readonly SingleRule[]): string {
  const parts = [
    group !== undefined && `APIGroups:${goQuotedList([group])}`,
    resource !== undefined && `Resources:${goQuotedList([resource])}`,
    url !== undefined && `NonResourceURLs:${goQuotedList([url])}`,
    resourceName !== undefined && `ResourceNames:${goQuotedList([resourceName])}`,
    `Verbs:${goQuotedList([verb, ...more.map((rule) => rule.verb)])}`,
  ];
  return `{${parts.filter((part) => part !== false).join(', ')}}`;
}

/** Formats a list like Go's %q. */
export function goQuotedList(items: readonly string[]): string {
  return `[${items.map(goQuoted).join(' ')}]`;
}

function textsAt(rule: JsonObject, key: string): readonly string[] {
  return arrayAt(rule, key) as string[];
}
