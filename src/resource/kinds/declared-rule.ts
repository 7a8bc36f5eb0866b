import type { KindRef, Scope } from '../../api/kinds/kind-ref.js';
import type { PolicyRule, Verb } from '../../api/access/policy-rule.js';
import type { PrivilegedVerb, RbacEntry, RbacResources, RbacUrls } from '../decorators/rbac.js';

/** A rule of `@Rbac` and the role that contains it. */
export interface DeclaredRule {
  readonly rule: PolicyRule;
  /** The scope of its resource; undefined where only the name is known. */
  readonly scope: Scope | undefined;
  readonly namespace: string | undefined;
  readonly roleName: string | undefined;
  /** True if `--check-rbac` does not report it as unused. */
  readonly allowUnused: boolean | undefined;
  /** True if it applies in the clusters of the objects, instead of the operator's own. */
  readonly clusters?: boolean | undefined;
}

/** Adds a diagnostic. */
export type Report = (problem: string, hint: string) => void;

const RESOURCE_VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const VERBS: readonly string[] = [...RESOURCE_VERBS, 'use', '*', 'bind', 'escalate', 'impersonate'];
const URL_VERBS: readonly string[] = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete', '*'];
const PRIVILEGED: readonly PrivilegedVerb[] = ['*', 'bind', 'escalate', 'impersonate'];
/** DNS-1123 label, as for namespaces. */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** A path segment, as for role names. */
const ROLE_NAME = /^(?!\.{1,2}$)[^/%]+$/;

/** A rule on the objects of a kind, or on a subresource of them. */
export function kindRule(kind: KindRef, { verbs, options = {} }: RbacEntry, report: Report): DeclaredRule {
  const { subresource, ...limits } = options;
  const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
  const { allowUnused = false, ...rule } = declaredRule(
    { ...limits, groups: [kind.group], resources: [resource] },
    verbs,
    report,
  );
  return { ...rule, scope: kind.scope, allowUnused };
}

/** A rule on resources or paths by name. */
export function declaredRule(on: RbacResources | RbacUrls, verbs: readonly Verb[], report: Report): DeclaredRule {
  const named = 'urls' in on ? on.urls : on.resources;
  const shown = `@Rbac(${named.join(', ')})`;
  if (on.roleName !== undefined && !ROLE_NAME.test(on.roleName))
    report(`${shown}: roleName "${on.roleName}" is not a valid role name`, `roleName: 'podset-extra'`);
  return 'urls' in on ? urlRule(on, verbs, shown, report) : resourcesRule(on, verbs, shown, report);
}

function urlRule(on: RbacUrls, verbs: readonly Verb[], shown: string, report: Report): DeclaredRule {
  const { urls, roleName, allow = [], allowUnused } = on;
  const others = ['resources', 'groups', 'resourceNames', 'namespace'].filter((name) => name in on);
  if (others.length > 0)
    report(`${shown}: urls cannot be combined with ${others.join(', ')}`, 'use a separate @Rbac for the urls');
  if (urls.length === 0) report(`${shown}: urls is empty`, `urls: ['/metrics']`);
  collectVerbs(shown, verbs, allow, report, URL_VERBS);
  if (urls.some((url) => url === '*' || url === '/*')) reportPrivilegedVerb(shown, '*', allow, report);
  for (const url of urls.filter((path) => path !== '*' && !/^\/[^*]*\*?$/.test(path)))
    report(`${shown}: "${url}" is not a valid path`, `'/metrics', or '/logs/*' for all paths below`);
  const rule = { apiGroups: [], resources: [], nonResourceURLs: [...urls], verbs: [...verbs] };
  return { rule, scope: 'Cluster', namespace: undefined, roleName, allowUnused };
}

function resourcesRule(on: RbacResources, verbs: readonly Verb[], shown: string, report: Report): DeclaredRule {
  const { groups, resources, resourceNames, namespace, roleName, allow = [], allowUnused, clusters } = on;
  collectVerbs(shown, verbs, allow, report);
  if ([...groups, ...resources].some((name) => name.includes('*'))) reportPrivilegedVerb(shown, '*', allow, report);
  if (resources.length === 0 || groups.length === 0)
    report(`${shown}: groups or resources is empty`, `resources: ['pods/log']`);
  for (const resource of resources.filter(
    (name) => name !== '*' && !/^([a-z0-9-]+|\*)(\/([a-z0-9-]+|\*))?$/.test(name),
  ))
    report(`${shown}: "${resource}" is not a plural resource name`, `'pods', or 'pods/log' for a subresource`);
  if (resourceNames) collectNames(shown, resourceNames, verbs, report);
  if (namespace !== undefined && !LABEL.test(namespace))
    report(`${shown}: "${namespace}" is not a valid namespace name`, `namespace: 'kube-system'`);
  const rule: PolicyRule = { apiGroups: [...groups], resources: [...resources], verbs: [...verbs] };
  const named = resourceNames ? { ...rule, resourceNames: [...resourceNames] } : rule;
  return { rule: named, scope: undefined, namespace, roleName, allowUnused, clusters };
}

/** Requests to create or delete many objects have no name, so such a rule would grant nothing. */
function collectNames(shown: string, names: readonly string[], verbs: readonly Verb[], report: Report): void {
  if (names.length === 0 || names.includes(''))
    report(`${shown}: resourceNames is empty, which would grant access to all objects`, `resourceNames: ['settings']`);
  const nameless = verbs.filter((verb) => verb === 'create' || verb === 'deletecollection');
  if (nameless.length > 0)
    report(
      `${shown}: ${nameless.join(', ')} cannot be limited to resourceNames`,
      'use a separate @Rbac without resourceNames',
    );
}

/** Adds diagnostics for unknown verbs, and for privileged verbs without `allow`. */
export function collectVerbs(
  shown: string,
  verbs: readonly string[],
  allow: readonly PrivilegedVerb[],
  report: Report,
  known: readonly string[] = VERBS,
): void {
  if (verbs.length === 0) report(`${shown}: no verbs`, `'get', 'list', 'watch'`);
  for (const verb of verbs) {
    if (!known.includes(verb)) report(`${shown}: unknown verb "${verb}"`, `use ${known.slice(0, 8).join(', ')}`);
    const privileged = PRIVILEGED.find((each) => each === verb);
    if (privileged) reportPrivilegedVerb(shown, privileged, allow, report);
  }
}

function reportPrivilegedVerb(
  shown: string,
  verb: PrivilegedVerb,
  allow: readonly PrivilegedVerb[],
  report: Report,
): void {
  if (!allow.includes(verb))
    report(
      `${shown}: '${verb}' grants more than an operator should have`,
      `list the values that the operator needs, or add allow: ['${verb}']`,
    );
}
