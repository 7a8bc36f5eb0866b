import type { KindRef } from '../api/kind-ref.js';
import * as kinds from '../api/kinds.js';
import { ForbiddenError } from '../client/api-error.js';
import { kindsOf } from '../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../resource/model.js';
import type { UnwatchedKinds } from './unwatched-kinds.js';

const REFUSAL = /cannot (?<verb>\w+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"/;
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
 */
export function rbacHint(
  error: unknown,
  model: ResourceModel,
  unwatched?: Pick<UnwatchedKinds, 'ownedWriteOf'>,
): string | undefined {
  const refusal = error instanceof ForbiddenError ? refusalIn(error.message) : undefined;
  if (!refusal) return undefined;
  const { className } = model;
  if (isGranted(model, refusal))
    return `the roles of ${className} allow it: run generate-manifests and apply the generated roles`;
  const forgotten = unwatched?.ownedWriteOf(refusal.group, refusal.resource);
  const change = forgotten ? `add @Owns(${forgotten.kind}) to ${className}` : missingDecorator(model, refusal);
  return `${change}, then run generate-manifests and apply the generated roles`;
}

function refusalIn(message: string): Refusal | undefined {
  const { verb, resource, group } = REFUSAL.exec(message)?.groups ?? {};
  return verb === undefined || resource === undefined || group === undefined ? undefined : { verb, resource, group };
}

function missingDecorator(model: ResourceModel, refusal: Refusal): string {
  const { verb, resource, group } = refusal;
  const { className } = model;
  const isMeant = isAbout(refusal);
  const owned = model.owns.find(({ kind, isImplied }) => !isImplied && isMeant(kind))?.kind;
  if (owned) return `add '${verb}' to the verbs of @Owns(${owned.kind}) of ${className}`;
  const name = kindsOf(model).find(isMeant)?.kind ?? builtInName(isMeant);
  const rbac = `@Rbac(${name ?? `{ groups: ['${group}'], resources: ['${resource}'] }`}, '${verb}')`;
  if (name === undefined || !READS.includes(verb)) return `add ${rbac} to ${className}`;
  return `add @Watches(${name}, …) to ${className} if its changes must lead to a reconcile, else ${rbac}`;
}

/** Reports whether `@Kind`, `@Owns` or `@Watches` grants the verb already. */
function isGranted(model: ResourceModel, refusal: Refusal): boolean {
  const isMeant = isAbout(refusal);
  const owned = model.owns.find(({ kind }) => isMeant(kind));
  if (owned) return owned.verbs.some((verb) => verb === refusal.verb || verb === '*');
  return READS.includes(refusal.verb) && kindsOf(model).some(isMeant);
}

function isAbout({ group, resource }: Refusal): (kind: KindRef) => boolean {
  return (kind) => kind.plural === resource && kind.group === group;
}

/** The name that the package exports a kind of Kubernetes under. */
function builtInName(isMeant: (kind: KindRef) => boolean): string | undefined {
  return Object.entries(kinds).find(([, kind]) => isMeant(kind))?.[0];
}
