import { readFileSync } from 'node:fs';
import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import * as kinds from '../../api/kinds/kinds.js';
import { covers } from '../../api/access/rule-covers.js';
import { sourceLine } from '../../resource/location.js';
import type { ResourceModel } from '../../resource/model.js';
import type { LoadedResource } from '../load-resources.js';
import { contextCalls, type ContextCall } from './context-calls.js';

/**
 * Returns a warning for each kind that a class owns or reads by `ctx` without watching it, and for each that it watches by
 * `ctx.watch` without permission, as far as its source shows.
 *
 * Kinds of Kubernetes and of the loaded classes are known by their names; other identifiers are ignored.
 */
export function unwatchedCalls(resources: readonly LoadedResource[]): string[] {
  const models = resources.map(({ model }) => model);
  const files = Map.groupBy(
    resources.filter(({ model }) => model.isReconciled),
    ({ sourceFile }) => sourceFile,
  );
  return [...files].flatMap(([file, ofFile]) => {
    const calls = contextCalls(file, readFileSync(file, 'utf8'));
    return ofFile.flatMap(({ model }) => warningsOf(model, calls, file, models));
  });
}

function warningsOf(
  model: ResourceModel,
  calls: readonly ContextCall[],
  file: string,
  models: readonly ResourceModel[],
): string[] {
  const own = calls.filter(({ className }) => className === model.className);
  return [...Map.groupBy(own, ({ kind }) => kind).values()].flatMap((ofKind) => {
    const watch = ofKind.find(({ method }) => method === 'watch');
    const call = watch ?? ofKind.find(({ isOwnedWrite }) => isOwnedWrite) ?? ofKind.find((each) => isRead(each));
    const kind = call && kindOf(call.kind, models);
    if (!kind || isWatched(model, kind) || isIntended(model, kind, call)) return [];
    return [`${file}:${call.line} ${model.className}.${call.member}: ${describe(call, model)}`];
  });
}

function describe({ kind, method, isOwnedWrite }: ContextCall, model: ResourceModel): string {
  const { className } = model;
  const source = sourceLine({ target: model.target });
  const place = source === undefined ? className : `${className} (${source})`;
  if (method === 'watch') {
    return `${className} watches ${kind} objects without permission; add @Rbac(${kind}, 'list', 'watch') to ${place}`;
  }
  if (isOwnedWrite) return `${className} owns ${kind} objects but does not watch them; add @Owns(${kind}) to ${place}`;
  return (
    `${className} reads ${kind} objects but does not watch them; ` +
    `add @Watches(${kind}, …) to ${place}, or @Rbac(${kind}, '${method}') if no reconcile is needed`
  );
}

function kindOf(name: string, models: readonly ResourceModel[]): KindRef | undefined {
  const builtIn: Readonly<Record<string, KindRef>> = kinds;
  return (
    models.find(({ className }) => className === name)?.kind ??
    (Object.hasOwn(builtIn, name) ? builtIn[name] : undefined)
  );
}

function isWatched({ kind, owns, watches }: ResourceModel, used: KindRef): boolean {
  const watched = [kind, ...owns.map((owned) => owned.kind), ...watches.map((each) => each.kind)];
  return watched.some((each) => kindKey(each) === kindKey(used));
}

function isRead({ method }: ContextCall): boolean {
  return method === 'get' || method === 'list';
}

/** Reports whether the class has the permissions of a read or of a watch; an owned write is never intended. */
function isIntended(
  { rules }: ResourceModel,
  { group, plural }: KindRef,
  { method, isOwnedWrite }: ContextCall,
): boolean {
  if (isOwnedWrite) return false;
  const verbs = method === 'watch' ? ['list', 'watch'] : [method];
  return verbs.every((verb) => rules.some(({ rule }) => covers(rule, { group, resource: plural, verb })));
}
