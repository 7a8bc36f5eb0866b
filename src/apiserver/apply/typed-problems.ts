import type { MergeList, MergeType } from '../schema/merge-type.js';
import { ListItemError, listItemElement } from './list-item.js';
import { formatPath } from './path-set.js';
import { asList, asMap, shapeOf } from './shape.js';

/** What keeps a value from being merged by its type: fields the type lacks, list items without keys or with the same ones. */
export function typedProblems(type: MergeType, value: unknown, path: readonly string[] = []): string[] {
  if (type.k === 'scalar') return scalarProblems(type.isNumeric === true, value, path);
  const shape = shapeOf(type, value);
  if (shape.k === 'scalar') return [];
  if (shape.k === 'list') return shape.listType === 'atomic' ? [] : itemProblems(shape, asList(value) ?? [], path);
  if (shape.atomic) return [];
  return Object.entries(asMap(value) ?? {}).flatMap(([name, member]) => {
    const below = [...path, `f:${name}`];
    const isUnknown = type.k === 'map' && type.field(name) === undefined;
    return isUnknown
      ? [`${formatPath(below)}: field not declared in schema`]
      : typedProblems(shape.member(name), member, below);
  });
}

function scalarProblems(isNumeric: boolean, value: unknown, path: readonly string[]): string[] {
  if (!isNumeric || value === null || typeof value === 'number' || typeof value === 'bigint') return [];
  return [`${formatPath(path)}: expected numeric (int or float), got ${goTypeOf(value)}`];
}

function goTypeOf(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

function itemProblems(list: MergeList, items: readonly unknown[], path: readonly string[]): string[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const element = elementOf(list, item);
    if (element instanceof ListItemError) return [`${formatPath(path)}: element ${index}: ${element.message}`];
    if (seen.has(element)) return [`${formatPath(path)}: duplicate entries for key ${formatPath([element])}`];
    seen.add(element);
    return typedProblems(list.item, item, [...path, element]);
  });
}

function elementOf(list: MergeList, item: unknown): string | ListItemError {
  try {
    return listItemElement(list, item);
  } catch (error) {
    if (error instanceof ListItemError) return error;
    throw error;
  }
}
