import { setMember } from '../../base/set-member.js';
import type { JsonObject } from '../objects/api-object.js';
import { UNTYPED, type MergeList, type MergeType } from '../schema/merge-type.js';
import { listItemElement } from './list-item.js';
import { PathSet } from './path-set.js';
import { asList, asMap, shapeOf, type Shape } from './shape.js';

/** Returns the value without the members of the set; null for a list or map that becomes empty. */
export function removeItems(type: MergeType, value: unknown, remove: PathSet): unknown {
  const shape = shapeOf(type, value);
  if (shape.type === 'list') return removeListItems(shape, value, remove);
  return shape.type === 'map' ? removeMembers(shape, value, remove) : value;
}

function removeListItems(list: MergeList, value: unknown, remove: PathSet): unknown {
  const items = list.listType === 'atomic' ? [] : (asList(value) ?? []);
  const kept = items.flatMap((item) => {
    const child = remove.children.get(listItemElement(list, item));
    if (child?.isMember) return [];
    return [child && child.children.size > 0 ? removeItems(list.item, item, child) : item];
  });
  return kept.length === 0 ? null : kept;
}

function removeMembers(shape: Extract<Shape, { type: 'map' }>, value: unknown, remove: PathSet): unknown {
  const map = asMap(value);
  if (shape.atomic || !map || Object.keys(map).length === 0) return null;
  const kept: JsonObject = {};
  for (const [name, member] of Object.entries(map)) {
    const child = remove.children.get(`f:${name}`);
    if (child?.isMember) continue;
    setMember(kept, name, child && !child.isEmpty ? removeItems(shape.member(name), member, child) : member);
  }
  return Object.keys(kept).length === 0 ? null : kept;
}

/**
 * Adds every struct field on the path to a member to the set: unlike map keys, struct fields exist only with their
 * members.
 */
export function withNamedFields(type: MergeType, set: PathSet): PathSet {
  const result = new PathSet(set.isMember);
  for (const [element, child] of set.children) {
    const isField = element.startsWith('f:') && type.type === 'map' && type.isStructField?.(element.slice(2)) === true;
    const below = withNamedFields(memberType(type, element), child);
    if (isField && child.children.size > 0) below.isMember = true;
    result.children.set(element, below);
  }
  return result;
}

function memberType(type: MergeType, element: string): MergeType {
  if (element.startsWith('f:') && type.type === 'map') return type.field(element.slice(2)) ?? UNTYPED;
  return element.startsWith('k:') && type.type === 'list' ? type.item : UNTYPED;
}
