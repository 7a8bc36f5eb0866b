import type { MergeType } from '../schema/merge-type.js';
import { PathSet } from './path-set.js';

/**
 * What is owned where the schema has changed since: of what has become atomic the whole, instead of its members.
 * The same set when that is nothing. In the steps of structured-merge-diff's typed/reconcile_schema.go.
 */
export function reconcileFields(type: MergeType, set: PathSet): PathSet {
  const atomic = new PathSet();
  collectAtomic(type, set, [], atomic);
  return atomic.isEmpty ? set : set.recursiveDifference(atomic).union(atomic);
}

/** Members of the set that are members of something atomic are not its leaves: they have others below them. */
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
  return type.k === 'map' ? type.atomic : type.k === 'list' && type.listType === 'atomic';
}

function memberType(type: MergeType, element: string): MergeType | undefined {
  if (type.k === 'list') return type.item;
  return type.k === 'map' && element.startsWith('f:') ? type.field(element.slice(2)) : undefined;
}
