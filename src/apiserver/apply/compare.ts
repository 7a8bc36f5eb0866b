import { deepEqual } from '../../base/deep-equal.js';
import { ownMember } from '../../base/own-member.js';
import type { MergeList, MergeType } from '../schema/merge-type.js';
import { indexItems } from './list-item.js';
import { PathSet } from './path-set.js';
import { asList, asMap, shapeOf, type Shape } from './shape.js';

/** The paths that differ between two objects. */
export interface Comparison {
  readonly added: PathSet;
  readonly removed: PathSet;
  readonly modified: PathSet;
}

/** Compares two values of a type; undefined means absent, null is a value. */
export function compareValues(type: MergeType, before: unknown, after: unknown): Comparison {
  const walker = new Walker();
  walker.compare(type, before, after, []);
  return walker;
}

class Walker implements Comparison {
  readonly added = new PathSet();
  readonly removed = new PathSet();
  readonly modified = new PathSet();

  compare(type: MergeType, before: unknown, after: unknown, path: readonly string[]): void {
    if (before === after) return;
    const shape = shapeOf(type, after ?? before);
    const isLeaf = this.descend(shape, before, after, path);
    const former = before === undefined || before === null ? shape : shapeOf(type, before);
    if (former.type !== shape.type) this.descend(former, before, after, path);
    if (isLeaf) return;
    if (before === undefined) this.added.insert(path);
    else if (after === undefined) this.removed.insert(path);
  }

  /** Compares the members of a value. Returns whether the value counts as a leaf. */
  private descend(shape: Shape, before: unknown, after: unknown, path: readonly string[]): boolean {
    if (shape.type === 'scalar') return this.leaf(before, after, path);
    return shape.type === 'list' ? this.list(shape, before, after, path) : this.map(shape, before, after, path);
  }

  private leaf(before: unknown, after: unknown, path: readonly string[]): true {
    if (before === undefined) this.added.insert(path);
    else if (after === undefined) this.removed.insert(path);
    else if (!deepEqual(before, after)) this.modified.insert(path);
    return true;
  }

  private list(list: MergeList, before: unknown, after: unknown, path: readonly string[]): boolean {
    const [old, next] = [asList(before) ?? [], asList(after) ?? []];
    if (list.listType === 'atomic' || (old.length === 0 && next.length === 0)) return this.leaf(before, after, path);
    const [oldItems, nextItems] = [indexItems(list, old), indexItems(list, next)];
    for (const element of new Set([...oldItems.keys(), ...nextItems.keys()]))
      this.items(list, oldItems.get(element) ?? [], nextItems.get(element) ?? [], [...path, element]);
    return false;
  }

  /** Compares the items of one path element; duplicate items are compared as one atomic value. */
  private items(list: MergeList, before: readonly unknown[], after: readonly unknown[], path: readonly string[]): void {
    if (before.length > 1 && after.length > 1) {
      if (!deepEqual(before, after)) this.modified.insert(path);
      return;
    }
    const [old, next] = [before.length > 1 ? undefined : before[0], after.length > 1 ? undefined : after[0]];
    this.compare(list.item, old, next, path);
    if (before.length > 1) this.removed.insert(path);
    if (after.length > 1) this.added.insert(path);
  }

  private map(
    shape: Extract<Shape, { type: 'map' }>,
    before: unknown,
    after: unknown,
    path: readonly string[],
  ): boolean {
    const [old, next] = [asMap(before) ?? {}, asMap(after) ?? {}];
    const [oldNames, nextNames] = [Object.keys(old), Object.keys(next)];
    if (shape.atomic || (oldNames.length === 0 && nextNames.length === 0)) return this.leaf(before, after, path);
    for (const name of oldNames)
      this.compare(shape.member(name), old[name], ownMember(next, name), [...path, `f:${name}`]);
    for (const name of nextNames) {
      if (ownMember(old, name) === undefined)
        this.compare(shape.member(name), undefined, next[name], [...path, `f:${name}`]);
    }
    return false;
  }
}
