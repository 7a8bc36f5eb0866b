import type { KindRef } from '../api/kind-ref.js';
import type { ResourceModel } from '../resource/model.js';
import { ForbiddenError } from '../client/api-error.js';

const REFUSAL = /cannot (?<verb>\w+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"/;

/** What to add to the class so that the generated roles allow what the server has just refused. */
export function rbacHint(error: unknown, model: ResourceModel): string | undefined {
  if (!(error instanceof ForbiddenError)) return undefined;
  const { verb, resource, group } = REFUSAL.exec(error.message)?.groups ?? {};
  if (verb === undefined || resource === undefined || group === undefined) return undefined;
  const known = kindsOf(model).find((kind) => kind.plural === resource && kind.group === group);
  if (known && IMPLIED_VERBS.has(verb)) {
    return `the roles of ${model.className} allow it: run generate-manifests again and apply what it writes`;
  }
  const what = known ? known.kind : `{ groups: ['${group}'], resources: ['${resource}'] }`;
  return `add @Rbac(${what}, '${verb}') to ${model.className}, run generate-manifests and apply what it writes`;
}

/** Implied by @Kind, @Owns and @Watches. */
const IMPLIED_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Every kind the class names in a decorator. */
export function kindsOf({ kind, owns, watches }: ResourceModel): KindRef[] {
  return [kind, ...owns.map((owned) => owned.kind), ...watches.map((watched) => watched.kind)];
}
