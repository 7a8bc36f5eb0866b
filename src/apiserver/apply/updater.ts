import { deepEqual } from '../../base/deep-equal.js';
import type { JsonObject } from '../object.js';
import type { MergeType } from '../schema/merge-type.js';
import { compareValues, type Comparison } from './compare.js';
import { toFieldSet } from './field-set.js';
import { mergeValues } from './merge-values.js';
import { PathSet } from './path-set.js';
import { removeItems, withNamedFields } from './remove-items.js';

/** What one manager owns. */
export interface OwnedFields {
  readonly set: PathSet;
  readonly apiVersion: string;
  readonly isApplied: boolean;
}

/** Owned fields by manager. */
export type Managers = Map<string, OwnedFields>;

/** Fields two managers want to differ, by manager. */
export class ApplyConflicts extends Error {
  constructor(readonly conflicts: ReadonlyMap<string, PathSet>) {
    super('apply conflicts');
  }

  /** What is left when the fields of the set are allowed; undefined when nothing is. */
  without(allowed: PathSet): ApplyConflicts | undefined {
    const rest = [...this.conflicts].map(([manager, set]) => [manager, set.difference(allowed)] as const);
    const left = rest.filter(([, set]) => !set.isEmpty);
    return left.length === 0 ? undefined : new ApplyConflicts(new Map(left));
  }
}

/** The paths a request's endpoint never writes; they leave every field set it makes. */
export type ResetFields = PathSet | undefined;

/** structured-merge-diff's merge.Updater for one type. */
export class Updater {
  constructor(
    private readonly type: MergeType,
    private readonly apiVersion: string,
    private readonly reset: ResetFields,
  ) {}

  /** Ownership after `manager` replaced `live` by `next`. */
  update(live: JsonObject, next: JsonObject, managers: Managers, manager: string): Managers {
    const { result, comparison } = this.take(live, next, managers, manager, true);
    const before = result.get(manager)?.set ?? new PathSet();
    const set = this.filter(before.difference(comparison.removed).union(comparison.modified).union(comparison.added));
    if (set.isEmpty) result.delete(manager);
    else result.set(manager, { set, apiVersion: this.apiVersion, isApplied: false });
    return result;
  }

  /**
   * The live object after `manager` applied `config`, and who then owns what; no object when nothing changed.
   *
   * @throws ApplyConflicts unless `force`.
   */
  apply(
    live: JsonObject,
    config: JsonObject,
    managers: Managers,
    manager: string,
    force: boolean,
  ): { object?: JsonObject; managers: Managers } {
    const merged = mergeValues(this.type, live, config) as JsonObject;
    const last = managers.get(manager)?.set;
    const set = this.filter(toFieldSet(this.type, config));
    const claimed = new Map(managers).set(manager, { set, apiVersion: this.apiVersion, isApplied: true });
    const pruned = last && !last.isEmpty ? this.prune(merged, claimed, last) : merged;
    const { result } = this.take(live, pruned, claimed, manager, force);
    return deepEqual(live, pruned) ? { managers: result } : { object: pruned, managers: result };
  }

  /** Drops what the manager applied last time and no longer does, unless another owns it. */
  private prune(merged: JsonObject, managers: Managers, last: PathSet): JsonObject {
    const named = (set: PathSet): PathSet => withNamedFields(this.type, set);
    let pruned = removeItems(this.type, merged, named(last)) as JsonObject | null;
    const mergedSet = named(toFieldSet(this.type, merged));
    const owned = [...managers.values()].reduce((all, { set }) => all.union(set), new PathSet());
    const keptSet = named(toFieldSet(this.type, pruned ?? {})).union(named(owned));
    pruned = removeItems(this.type, merged, mergedSet.difference(keptSet)) as JsonObject | null;
    const prunedSet = named(toFieldSet(this.type, pruned ?? {}));
    const dangling = mergedSet.difference(prunedSet).intersection(named(last));
    return (removeItems(this.type, merged, dangling) ?? {}) as JsonObject;
  }

  private take(
    live: JsonObject,
    next: JsonObject,
    managers: Managers,
    self: string,
    force: boolean,
  ): { result: Managers; comparison: Comparison } {
    const full = compareValues(this.type, live, next);
    const comparison = {
      added: this.filter(full.added),
      removed: this.filter(full.removed),
      modified: this.filter(full.modified),
    };
    const changed = comparison.modified.union(comparison.added);
    const conflicts = new Map<string, PathSet>();
    const result: Managers = new Map();
    for (const [manager, owned] of managers) {
      const conflict = manager === self ? new PathSet() : owned.set.intersection(changed);
      if (!conflict.isEmpty) conflicts.set(manager, conflict);
      const set = manager === self ? owned.set : owned.set.difference(conflict).difference(comparison.removed);
      if (!set.isEmpty) result.set(manager, { ...owned, set });
    }
    if (!force && conflicts.size > 0) throw new ApplyConflicts(conflicts);
    return { result, comparison };
  }

  private filter(set: PathSet): PathSet {
    return this.reset ? set.recursiveDifference(this.reset) : set;
  }
}
