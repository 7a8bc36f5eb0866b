import type { KindRef } from '../../api/kinds/kind-ref.js';
import * as kinds from '../../api/kinds/kinds.js';
import { covers } from '../../api/access/rule-covers.js';
import type { RecordedAccess } from '../../client/access/access-record.js';
import { decoratorText } from '../../manifests/access/decorator-text.js';
import { READ, type GrantedRule, type RuleOrigin } from '../../manifests/access/granted-rules.js';
import { kindsOf } from '../../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../../resource/model.js';
import { usesOf, type ResourceUse } from './used-permissions.js';

/** A difference between the rules of a class and the recorded requests, and how to correct it. */
export interface RbacFinding {
  readonly origin: RuleOrigin;
  readonly problem: string;
  readonly fix: string;
}

/** Returns granted permissions that no recorded request used, except those with `allowUnused`. */
export function unusedPermissions(granted: readonly GrantedRule[], recorded: readonly RecordedAccess[]): RbacFinding[] {
  return granted.flatMap((rule) => {
    const uses = rule.allowUnused ? [] : usesOf(rule, recorded);
    const unused = uses.filter((use) => use.unused.length > 0);
    if (unused.length === 0) return [];
    const permissions = unused.map((use) => `${use.unused.join(', ')} on ${shown(use)}`).join('; ');
    const { origin } = rule;
    return [
      {
        origin,
        problem: `${decoratorText(origin)} grants unused permissions: ${permissions}`,
        fix: unusedFix(origin, uses),
      },
    ];
  });
}

/** Returns recorded permissions that no class grants. */
export function missingPermissions(
  granted: readonly GrantedRule[],
  recorded: readonly RecordedAccess[],
  models: readonly ResourceModel[],
): RbacFinding[] {
  const [first] = models;
  const missing = recorded.filter(
    (access) => access.by === 'operator' && !isForAll(access) && !granted.some(({ rule }) => covers(rule, access)),
  );
  if (!first) return [];
  return [...Map.groupBy(missing, (access) => access.url ?? `${access.resource}.${access.group}`).values()].flatMap(
    (accesses) => {
      const [access] = accesses;
      if (!access) return [];
      const verbs = [...new Set(accesses.map(({ verb }) => verb))];
      const model = models.find((candidate) => namesKind(candidate, access)) ?? first;
      return [
        {
          origin: { model, decorator: model.definesKind ? 'Kind' : 'Controller', index: 0 },
          problem: `no decorator grants ${verbs.join(', ')} on ${shown(access)}, which the record contains`,
          fix: missingFix(access, verbs, model, models),
        },
      ];
    },
  );
}

/** Permissions of every authenticated client: `system:basic-user` and `system:discovery`. */
function isForAll({ group, resource, verb, url }: RecordedAccess): boolean {
  if (url !== undefined) return verb === 'get' && /^\/(apis?|healthz|livez|openapi|readyz|version)(\/|$)/.test(url);
  return verb === 'create' && /^auth(entication|orization)\.k8s\.io\/selfsubject\w+s$/.test(`${group}/${resource}`);
}

function unusedFix({ model, decorator, index }: RuleOrigin, uses: readonly ResourceUse[]): string {
  const used = uses.filter((use) => use.used.length > 0);
  const owned = model.owns[index];
  if (decorator === 'Owns' && owned && used[0]) {
    return `write @Owns(${owned.kind.kind}, { verbs: [${quoted(used[0].used)}] })`;
  }
  if (decorator === 'Rbac' && used.length > 0) {
    const lines = used.map((use) => rbacLine(use, use.used, [model]));
    return `write ${lines.join(' ')}`;
  }
  if (decorator === 'Watches') return 'remove it, or record a run that needs it';
  if (decorator === 'Rbac') return 'remove it, record a run that needs it, or set allowUnused: true';
  return 'record a run in which the operator does its work';
}

/**
 * Returns the hint for missing permissions. If a class creates or reads objects of a kind that it does not declare, a
 * missing `@Owns` or `@Watches` is the likely cause, and `@Rbac` alone would hide it.
 */
function missingFix(
  access: RecordedAccess,
  verbs: readonly string[],
  { className }: ResourceModel,
  models: readonly ResourceModel[],
): string {
  const rbac = rbacLine(access, verbs, models);
  const kind = models.some((model) => namesKind(model, access)) ? undefined : knownKind(access, models);
  if (kind !== undefined && verbs.includes('create'))
    return `add @Owns(${kind}) to ${className} if it owns the objects, else ${rbac}`;
  if (kind !== undefined && READ.some((read) => verbs.includes(read)))
    return `add @Watches(${kind}, …) to ${className} if their changes must lead to a reconcile, else ${rbac}`;
  return `add ${rbac} to ${className}`;
}

/** The name of a kind of the models or of Kubernetes. */
function knownKind(
  { group, resource }: Pick<ResourceUse, 'group' | 'resource'>,
  models: readonly ResourceModel[],
): string | undefined {
  const isMeant = (kind: KindRef): boolean => kind.plural === resource && kind.group === group;
  const own = models.flatMap(kindsOf).find(isMeant)?.kind;
  return own ?? Object.entries(kinds).find(([, kind]) => isMeant(kind))?.[0];
}

function rbacLine(
  { group, resource, url }: Pick<ResourceUse, 'group' | 'resource' | 'url'>,
  verbs: readonly string[],
  models: readonly ResourceModel[],
): string {
  if (url !== undefined) return `@Rbac({ urls: [${quoted([url])}] }, ${quoted(verbs)})`;
  const on =
    knownKind({ group, resource }, models) ?? `{ groups: [${quoted([group])}], resources: [${quoted([resource])}] }`;
  return `@Rbac(${on}, ${quoted(verbs)})`;
}

function namesKind(model: ResourceModel, { group, resource }: RecordedAccess): boolean {
  return kindsOf(model).some((kind) => kind.group === group && kind.plural === resource.split('/')[0]);
}

function shown({ group, resource, url }: { group: string; resource: string; url?: string | undefined }): string {
  if (url !== undefined) return url;
  return group === '' ? resource : `${resource} in ${group}`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}
