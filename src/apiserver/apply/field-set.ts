import { isJsonObject } from '../objects/api-object.js';
import type { MergeList, MergeType } from '../schema/merge-type.js';
import { indexItems } from './list-item.js';
import { PathSet } from './path-set.js';
import { asList, asMap, shapeOf, type Shape } from './shape.js';

/** Returns the paths of all fields that an applied configuration sets. */
export function toFieldSet(type: MergeType, value: unknown): PathSet {
  const set = new PathSet();
  visit(set, type, value);
  return set;
}

function visit(set: PathSet, type: MergeType, value: unknown): void {
  const shape = shapeOf(type, value);
  if (shape.type === 'scalar') set.isMember = true;
  else if (shape.type === 'list') visitList(set, shape, value);
  else visitMap(set, shape, value);
}

function visitList(set: PathSet, list: MergeList, value: unknown): void {
  if (list.listType === 'atomic') {
    set.isMember = true;
    return;
  }
  for (const [element, [item, ...others]] of indexItems(list, asList(value) ?? [])) {
    const child = childOf(set, element);
    child.isMember = true;
    if (others.length === 0) visit(child, list.item, item); // duplicate items are owned as a whole
  }
}

function visitMap(set: PathSet, shape: Extract<Shape, { type: 'map' }>, value: unknown): void {
  if (shape.atomic) {
    set.isMember = true;
    return;
  }
  for (const [name, member] of Object.entries(asMap(value) ?? {})) {
    if (member === undefined) continue;
    const child = childOf(set, `f:${name}`);
    visit(child, shape.member(name), member);
    const isEmpty = member === null || (isJsonObject(member) && Object.keys(member).length === 0);
    if (isEmpty || !shape.isField(name)) child.isMember = true;
    if (child.isEmpty) set.children.delete(`f:${name}`); // an empty list
  }
}

function childOf(set: PathSet, element: string): PathSet {
  let child = set.children.get(element);
  if (!child) set.children.set(element, (child = new PathSet()));
  return child;
}
