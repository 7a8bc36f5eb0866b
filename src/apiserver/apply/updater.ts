import { deepEqual } from '../../base/deep-equal.js';
import { StatusError } from '../errors/status-error.js';
import type { JsonObject } from '../objects/api-object.js';
import type { MergeType } from '../schema/merge-type.js';
import { compareValues, type Comparison } from './compare.js';
import { toFieldSet } from './field-set.js';
import type { FieldVersions } from './field-versions.js';
import { mergeValues } from './merge-values.js';
import { PathSet } from './path-set.js';
import { removeItems, withNamedFields } from './remove-items.js';
import { problemsText, typedProblems } from './typed-problems.js';

/** The fields that one manager owns. */
export interface OwnedFields {
  readonly set: PathSet;
  readonly apiVersion: string;
  readonly isApplied: boolean;
}

/** Owned fields by manager. */
export type Managers = Map<string, OwnedFields>;

/** Conflicting fields, by manager. */
export class ApplyConflicts extends Error {
  constructor(readonly conflicts: ReadonlyMap<string, PathSet>) {
    super('apply conflicts');
  }

  /** Returns the conflicts outside of the allowed set; undefined if none is left. */
  without(allowed: PathSet): ApplyConflicts | undefined {
    const rest = [...this.conflicts].map(([manager, set]) => [manager, set.difference(allowed)] as const);
    const left = rest.filter(([, set]) => !set.isEmpty);
    return left.length === 0 ? undefined : new ApplyConflicts(new Map(left));
  }
}

/** The paths that the endpoint of a request never writes; they are removed from the field sets it creates. */
export type ResetFields = PathSet | undefined;

/** An object in one version. */
interface Versioned {
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly type: MergeType;
}

export interface UpdaterOptions {
  readonly type: MergeType;
  readonly apiVersion: string;
  readonly reset: ResetFields;
  /** Reset fields of objects in other versions. */
  readonly resetElsewhere: ResetFields;
  readonly versions: FieldVersions;
}

/** structured-merge-diff's merge.Updater for one type. */
export class Updater {
  private readonly type: MergeType;
  private readonly apiVersion: string;

  constructor(private readonly options: UpdaterOptions) {
    this.type = options.type;
    this.apiVersion = options.apiVersion;
  }

  /** Returns the managers after `manager` replaced `live` with `next`. */
  update(live: JsonObject, next: JsonObject, managers: Managers, manager: string): Managers {
    const { result, comparison } = this.take(live, next, this.reconcile(live, managers), manager, true);
    const before = result.get(manager)?.set ?? new PathSet();
    const set = this.filter(before.difference(comparison.removed).union(comparison.modified).union(comparison.added));
    if (set.isEmpty) result.delete(manager);
    else result.set(manager, { set, apiVersion: this.apiVersion, isApplied: false });
    return result;
  }

  /**
   * Returns the live object after `manager` applied `config`, and the managers; without an object if nothing changed.
   * @throws ApplyConflicts unless `force`
   */
  apply(
    live: JsonObject,
    config: JsonObject,
    former: Managers,
    manager: string,
    force: boolean,
  ): { object?: JsonObject; managers: Managers } {
    const managers = this.reconcile(live, former);
    const merged = mergeValues(this.type, live, config) as JsonObject;
    const last = managers.get(manager);
    const set = this.filter(toFieldSet(this.type, config));
    const claimed = new Map(managers).set(manager, { set, apiVersion: this.apiVersion, isApplied: true });
    const isPruned = last && !last.set.isEmpty;
    const pruned = isPruned ? naming('failed to prune fields', () => this.prune(merged, claimed, last)) : merged;
    const { result } = this.take(live, pruned, claimed, manager, force);
    return deepEqual(live, pruned) ? { managers: result } : { object: pruned, managers: result };
  }

  /** Returns the managers with versions that still exist, with field sets that match the current schemas. */
  private reconcile(live: JsonObject, managers: Managers): Managers {
    const result: Managers = new Map();
    const present = this.own(live);
    for (const [manager, owned] of managers) {
      const versioned = this.convert(present, owned.apiVersion);
      if (versioned) result.set(manager, { ...owned, set: reconcileFields(versioned.type, owned.set) });
    }
    return result;
  }

  /** Removes the items that the manager applied last time but not this time, unless another manager owns them. */
  private prune(merged: JsonObject, managers: Managers, last: OwnedFields): JsonObject {
    const toLast = 'failed to convert merged object to last applied version';
    const all = naming(toLast, () => this.convert(this.own(merged), last.apiVersion));
    if (!all) return merged;
    const named = (set: PathSet): PathSet => withNamedFields(all.type, set);
    const left = without(all, named(last.set));
    const kept = naming('failed add back owned items', () => this.addBackOwned(all, left, managers));
    const keptSet = named(toFieldSet(all.type, kept.object));
    const dangling = named(toFieldSet(all.type, all.object)).difference(keptSet).intersection(named(last.set));
    return this.convert(without(all, dangling), this.apiVersion)?.object ?? merged;
  }

  /** Restores the items that other managers own, in each version in which fields are owned. */
  private addBackOwned(all: Versioned, left: Versioned, managers: Managers): Versioned {
    const ownedIn = Map.groupBy(managers.values(), ({ apiVersion }) => apiVersion);
    // Starts with the version in which items were removed: conversion to other versions may need these items.
    const first = ownedIn.has(all.apiVersion) ? [all.apiVersion] : [];
    let [whole, kept] = [all, left];
    for (const version of new Set([...first, ...ownedIn.keys()])) {
      const from = naming(`failed to convert merged object at version ${version}`, () => this.convert(whole, version));
      const to = naming(`failed to convert pruned object at version ${version}`, () => this.convert(kept, version));
      if (!from || !to) continue;
      const named = (set: PathSet): PathSet => withNamedFields(from.type, set);
      const owned = (ownedIn.get(version) ?? []).reduce((sum, { set }) => sum.union(set), new PathSet());
      const staying = named(toFieldSet(to.type, to.object)).union(named(owned));
      whole = from;
      kept = without(from, named(toFieldSet(from.type, from.object)).difference(staying));
    }
    return this.convert(kept, all.apiVersion) ?? kept;
  }

  private take(
    live: JsonObject,
    next: JsonObject,
    managers: Managers,
    self: string,
    force: boolean,
  ): { result: Managers; comparison: Comparison } {
    const comparison = this.compare(this.own(live), this.own(next));
    const known = new Map<string, Comparison | undefined>([[this.apiVersion, comparison]]);
    const conflicts = new Map<string, PathSet>();
    const result: Managers = new Map();
    for (const [manager, owned] of managers) {
      if (manager === self) {
        if (!owned.set.isEmpty) result.set(manager, owned);
        continue;
      }
      if (!known.has(owned.apiVersion)) known.set(owned.apiVersion, this.compareIn(owned.apiVersion, live, next));
      const changes = known.get(owned.apiVersion);
      if (!changes) continue;
      const conflict = owned.set.intersection(changes.modified.union(changes.added));
      if (!conflict.isEmpty) conflicts.set(manager, conflict);
      const set = owned.set.difference(conflict).difference(changes.removed);
      if (!set.isEmpty) result.set(manager, { ...owned, set });
    }
    if (!force && conflicts.size > 0) throw new ApplyConflicts(conflicts);
    return { result, comparison };
  }

  private compareIn(apiVersion: string, live: JsonObject, next: JsonObject): Comparison | undefined {
    const before = naming('failed to convert old object', () => this.convert(this.own(live), apiVersion));
    const after = naming('failed to convert new object', () => this.convert(this.own(next), apiVersion));
    return before && after && this.compare(before, after);
  }

  private compare(before: Versioned, after: Versioned): Comparison {
    const { added, removed, modified } = compareValues(before.type, before.object, after.object);
    const filter = (set: PathSet): PathSet => this.filter(set, before.apiVersion);
    return { added: filter(added), removed: filter(removed), modified: filter(modified) };
  }

  private own(object: JsonObject): Versioned {
    return { object, apiVersion: this.apiVersion, type: this.type };
  }

  /** Converts the object to another version; returns undefined when the version does not exist. */
  private convert(from: Versioned, apiVersion: string): Versioned | undefined {
    if (from.apiVersion === apiVersion) return from;
    if (apiVersion.split('/').length > 2)
      throw new StatusError(500, '', `unexpected GroupVersion string: ${apiVersion}`);
    const isOwn = apiVersion === this.apiVersion;
    const type = isOwn ? this.type : this.options.versions.typeOf(apiVersion);
    if (!type) return undefined;
    const object = this.options.versions.convert(from.object, apiVersion);
    const problems = typedProblems(type, object);
    if (problems.length > 0) throw new StatusError(500, '', problemsText(problems));
    return { object, apiVersion, type };
  }

  private filter(set: PathSet, apiVersion = this.apiVersion): PathSet {
    const reset = apiVersion === this.apiVersion ? this.options.reset : this.options.resetElsewhere;
    return reset ? set.recursiveDifference(reset) : set;
  }
}

/** Returns the object without the members of the set; its kind is always kept. */
function without(from: Versioned, items: PathSet): Versioned {
  const { apiVersion, kind } = from.object;
  const object = (removeItems(from.type, from.object, items) ?? { apiVersion, kind }) as JsonObject;
  return { ...from, object };
}

function naming<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof StatusError ? new StatusError(500, '', `${what}: ${error.message}`) : error;
  }
}

/**
 * Adapts a field set to a changed schema: for values that became atomic, the whole value replaces its members. Returns
 * the same set if nothing changes. As structured-merge-diff's typed/reconcile_schema.go.
 */
function reconcileFields(type: MergeType, set: PathSet): PathSet {
  const atomic = new PathSet();
  collectAtomic(type, set, [], atomic);
  return atomic.isEmpty ? set : set.recursiveDifference(atomic).union(atomic);
}

/** Collects the atomic values that contain members of the set. */
function collectAtomic(type: MergeType, set: PathSet, path: readonly string[], atomic: PathSet): void {
  if (set.children.size === 0) return;
  if (isAtomic(type)) {
    atomic.insert(path);
    return;
  }
  for (const [element, child] of set.children) {
    const below = memberType(type, element);
    if (below && child.children.size > 0) collectAtomic(below, child, [...path, element], atomic);
  }
}

function isAtomic(type: MergeType): boolean {
  return type.type === 'map' ? type.atomic : type.type === 'list' && type.listType === 'atomic';
}

function memberType(type: MergeType, element: string): MergeType | undefined {
  if (type.type === 'list') return type.item;
  return type.type === 'map' && element.startsWith('f:') ? type.field(element.slice(2)) : undefined;
}
