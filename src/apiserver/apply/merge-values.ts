import { ownMember } from '../../base/own-member.js';
import { setMember } from '../../base/set-member.js';
import type { JsonObject } from '../objects/api-object.js';
import type { MergeList, MergeType } from '../schema/merge-type.js';
import { indexItems, listItemElement } from './list-item.js';
import { asList, asMap, shapeOf, type Shape } from './shape.js';

/** Merges the applied value into the live one: the merge of structured-merge-diff. */
export function mergeValues(type: MergeType, live: unknown, applied: unknown): unknown {
  if (applied === undefined) return live;
  // Without a type, null is treated as a map if the live value is a map, which it then leaves unchanged.
  const shape = shapeOf(type, applied === null && asMap(live) ? live : applied);
  if (shape.type === 'list') return mergeLists(shape, live, applied);
  return shape.type === 'map' ? mergeMaps(shape, live, applied) : applied;
}

function mergeMaps(shape: Extract<Shape, { type: 'map' }>, live: unknown, applied: unknown): unknown {
  const [old, next] = [asMap(live), asMap(applied)];
  if (shape.atomic || !old) return applied;
  if (!next) return Object.keys(old).length === 0 ? applied : live;
  const result: JsonObject = { ...old };
  for (const [name, member] of Object.entries(next))
    setMember(result, name, mergeValues(shape.member(name), ownMember(old, name), member));
  return result;
}

function mergeLists(list: MergeList, live: unknown, applied: unknown): unknown {
  const [old, next] = [asList(live), asList(applied)];
  if (list.listType === 'atomic' || !old) return applied;
  if (!next) return old.length === 0 ? applied : live;
  if (old.length === 0 && next.length === 0) return applied;
  return new ListMerge(list, old, next).run();
}

/** Merges lists: applied items keep the applied order, other items their position between these. */
class ListMerge {
  private readonly left: readonly string[];
  private readonly right: readonly string[];
  private readonly shared: readonly string[];
  private sharedIndex = 0;
  private readonly result: unknown[] = [];

  private readonly live: ReadonlyMap<string, readonly unknown[]>;
  private readonly applied: ReadonlyMap<string, readonly unknown[]>;

  constructor(
    private readonly list: MergeList,
    private readonly liveItems: readonly unknown[],
    appliedItems: readonly unknown[],
  ) {
    this.live = indexItems(list, liveItems);
    this.applied = indexItems(list, appliedItems);
    this.left = liveItems.map((item) => listItemElement(list, item));
    this.right = [...this.applied.keys()];
    this.shared = this.right.filter((element) => this.live.has(element));
  }

  run(): unknown[] {
    const position = { left: 0, right: 0 };
    while (position.left < this.left.length || position.right < this.right.length) this.step(position);
    return this.result;
  }

  private step(position: { left: number; right: number }): void {
    const [ours, theirs] = [this.left[position.left], this.right[position.right]];
    if (ours !== undefined && ours !== theirs) {
      if (!this.applied.has(ours)) {
        this.result.push(this.liveItems[position.left]);
        position.left++;
        return;
      }
      const isOutOfTurn = theirs === undefined || ours !== this.shared[this.sharedIndex];
      if (isOutOfTurn) {
        position.left++;
        return;
      }
    }
    if (ours === theirs) position.left++;
    if (theirs !== undefined) this.take(theirs);
    position.right++;
  }

  private take(element: string): void {
    const [live, ...more] = this.live.get(element) ?? [];
    // Duplicate live items are replaced as a whole.
    this.result.push(mergeValues(this.list.item, more.length === 0 ? live : undefined, this.applied.get(element)?.[0]));
    if (element === this.shared[this.sharedIndex]) this.sharedIndex++;
  }
}
