import type { KindRef } from '../../api/kinds/kind-ref.js';
import * as kinds from '../../api/kinds/kinds.js';
import { covers } from '../../api/access/rule-covers.js';
import { OperatorError } from '../../base/operator-error.js';
import { ForbiddenError } from '../../client/api-error.js';
import type { DeclaredRule } from '../../resource/kinds/declared-rule.js';
import { kindsOf } from '../../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../../resource/model.js';
import type { UnwatchedKinds } from './unwatched-kinds.js';

const REFUSAL = /cannot (?<verb>\w+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"/;
const WATCH_VERBS = ['list', 'watch'] as const;
const READS: readonly string[] = ['get', 'list', 'watch'];

/** A request that RBAC rejected. */
interface Refusal {
  readonly verb: string;
  readonly resource: string;
  readonly group: string;
}

/**
 * Returns what to add to the class so that the generated roles allow a request that the server has rejected.
 *
 * A kind that is written as owned, or read, without being watched is a forgotten `@Owns` or `@Watches`: an `@Rbac` would
 * remove the error and leave the controller without events.
 *
 * @param cluster the cluster that has rejected the request, if it is another than the operator's own
 */
export function rbacHint(
  error: unknown,
  model: ResourceModel,
  unwatched?: Pick<UnwatchedKinds, 'ownedWriteOf'>,
  cluster?: string,
): string | undefined {
  // An error of another cluster has a hint of its own: the roles of the class do not apply there.
  const isOwn = error instanceof ForbiddenError && error.hint === undefined;
  const refusal = isOwn ? refusalIn(error.message) : undefined;
  if (!refusal) return undefined;
  if (cluster !== undefined) return clusterHint(cluster);
  const { className } = model;
  if (isGranted(model, refusal))
    return `the roles of ${className} allow it: run generate-manifests and apply the generated roles`;
  const forgotten = unwatched?.ownedWriteOf(refusal.group, refusal.resource);
  const change = forgotten ? `add @Owns(${forgotten.kind}) to ${className}` : missingDecorator(model, refusal);
  return `${change}, then run generate-manifests and apply the generated roles`;
}

/** Returns the next step to take when a kind cannot be watched by `ctx.watch`. */
export function watchHint(error: Error, model: ResourceModel, kind: KindRef, cluster?: string): string | undefined {
  if (!(error instanceof ForbiddenError)) return error instanceof OperatorError ? error.hint : undefined;
  if (cluster !== undefined) return clusterHint(cluster);
  const missing = WATCH_VERBS.filter((verb) => {
    return !isGranted(model, { group: kind.group, resource: kind.plural, verb });
  });
  const verbs = missing.map((verb) => `'${verb}'`).join(', ');
  const { className } = model;
  return missing.length === 0
    ? `the roles of ${className} allow it: run generate-manifests and apply the generated roles`
    : `add @Rbac(${kind.kind}, ${verbs}) to ${className}, then run generate-manifests and apply the generated roles`;
}

function refusalIn(message: string): Refusal | undefined {
  const { verb, resource, group } = REFUSAL.exec(message)?.groups ?? {};
  return verb === undefined || resource === undefined || group === undefined ? undefined : { verb, resource, group };
}

function missingDecorator(model: ResourceModel, refusal: Refusal): string {
  const { verb } = refusal;
  const { className } = model;
  const isMeant = isAbout(refusal);
  const owned = model.owns.find(({ kind, isImplied }) => !isImplied && isMeant(kind))?.kind;
  if (owned) return `add '${verb}' to the verbs of @Owns(${owned.kind}) of ${className}`;
  const name = kindsOf(model).find(isMeant)?.kind ?? builtInName(isMeant);
  const rbac = name === undefined ? namedRbac(model, refusal) : `@Rbac(${name}, '${verb}')`;
  if (name === undefined || !READS.includes(verb)) return `add ${rbac} to ${className}`;
  return `add @Watches(${name}, …) to ${className} if its changes must lead to a reconcile, else ${rbac}`;
}

/** The decorator for a subresource of a known kind, or for a resource of another one. */
function namedRbac(model: ResourceModel, { verb, resource, group }: Refusal): string {
  const [plural = '', subresource] = resource.split('/');
  const isMeant = isAbout({ verb, resource: plural, group });
  const name = kindsOf(model).find(isMeant)?.kind ?? builtInName(isMeant);
  if (name !== undefined && subresource !== undefined)
    return `@Rbac(${name}, '${verb}', { subresource: '${subresource}' })`;
  return `@Rbac({ groups: ['${group}'], resources: ['${resource}'] }, '${verb}')`;
}

/** Reports whether a decorator of the class grants the verb already, for all objects. */
function isGranted(model: ResourceModel, refusal: Refusal): boolean {
  const { owns, rules } = model;
  const { verb } = refusal;
  if (isOwnWrite(model, refusal) || rules.some((each) => appliesToAll(each) && covers(each.rule, refusal))) return true;
  const isMeant = isAbout(refusal);
  const owned = owns.find(({ kind }) => isMeant(kind));
  if (owned) return owned.verbs.some((each) => each === verb || each === '*');
  return READS.includes(verb) && kindsOf(model).some(isMeant);
}

/** Reports whether it is a write of the status, or of the finalizer, of the kind itself. */
function isOwnWrite({ kind, hasStatus, finalizers }: ResourceModel, { verb, resource, group }: Refusal): boolean {
  if (verb !== 'patch' || group !== kind.group) return false;
  return (hasStatus && resource === `${kind.plural}/status`) || (finalizers.length > 0 && resource === kind.plural);
}

function appliesToAll({ rule, namespace, clusters = false }: DeclaredRule): boolean {
  return rule.resourceNames === undefined && namespace === undefined && !clusters;
}

function isAbout({ group, resource }: Refusal): (kind: KindRef) => boolean {
  return (kind) => kind.plural === resource && kind.group === group;
}

/** Returns the name of the export of this package for a kind of Kubernetes. */
function builtInName(isMeant: (kind: KindRef) => boolean): string | undefined {
  return Object.entries(kinds).find(([, kind]) => isMeant(kind))?.[0];
}

/** The next step after another cluster has rejected a request. */
export function clusterHint(cluster: string): string {
  return `grant the permission to the user of the kubeconfig of cluster ${cluster}`;
}
