import { goQuoted } from '../../base/go-quoted.js';
import { arrayAt, type JsonObject } from '../objects/api-object.js';

/** A rule about one verb of one thing: of a resource, or of a path. */
interface SingleRule {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly resourceName?: string;
  readonly url?: string;
}

/** What of `wanted` the rules that somebody has do not allow, in the words of Kubernetes; empty when they allow it all. */
export function missingRules(owned: readonly JsonObject[], wanted: readonly JsonObject[]): string[] {
  const missing = wanted.flatMap(brokenDown).filter((single) => !owned.some((rule) => covers(rule, single)));
  return [...new Set(compacted(missing))].sort();
}

/** In the order of BreakdownRule. */
function brokenDown(rule: JsonObject): SingleRule[] {
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

/** Whether a rule allows one thing. */
export function covers(rule: JsonObject, single: SingleRule): boolean {
  if (!has(rule, 'verbs', single.verb)) return false;
  const { url } = single;
  return url === undefined
    ? coversResource(rule, single)
    : textsAt(rule, 'nonResourceURLs').some((pattern) => coversUrl(pattern, url));
}

function coversResource(rule: JsonObject, { group = '', resource = '', resourceName }: SingleRule): boolean {
  const subresource = resource.split('/')[1];
  const isOfAll = subresource !== undefined && textsAt(rule, 'resources').includes(`*/${subresource}`);
  if (!has(rule, 'apiGroups', group) || (!isOfAll && !has(rule, 'resources', resource))) return false;
  const names = textsAt(rule, 'resourceNames');
  return names.length === 0 || (resourceName !== undefined && names.includes(resourceName));
}

function coversUrl(pattern: string, url: string): boolean {
  return pattern === url || (pattern.endsWith('*') && url.startsWith(pattern.replace(/\*+$/, '')));
}

/** Rules that differ by their verb alone are one. */
function compacted(rules: readonly SingleRule[]): string[] {
  const groups = Map.groupBy(rules, ({ verb, group, resource, resourceName, url }) =>
    JSON.stringify([group, resource, resourceName, url, url === undefined ? '' : verb]),
  );
  return [...groups.values()].map(([first, ...more]) => (first ? described(first, more) : ''));
}

function described({ verb, group, resource, resourceName, url }: SingleRule, more: readonly SingleRule[]): string {
  const parts = [
    group !== undefined && `APIGroups:${quoted([group])}`,
    resource !== undefined && `Resources:${quoted([resource])}`,
    url !== undefined && `NonResourceURLs:${quoted([url])}`,
    resourceName !== undefined && `ResourceNames:${quoted([resourceName])}`,
    `Verbs:${quoted([verb, ...more.map((rule) => rule.verb)])}`,
  ];
  return `{${parts.filter((part) => part !== false).join(', ')}}`;
}

/** A list as Go's %q prints it. */
export function quoted(items: readonly string[]): string {
  return `[${items.map(goQuoted).join(' ')}]`;
}

function has(rule: JsonObject, key: string, value: string): boolean {
  const list = textsAt(rule, key);
  return list.includes('*') || list.includes(value);
}

function textsAt(rule: JsonObject, key: string): readonly string[] {
  return arrayAt(rule, key) as string[];
}
