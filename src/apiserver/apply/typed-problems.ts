import type { MergeList, MergeType } from '../schema/merge-type.js';
import { goSyntax, goText, goTypeOf } from './go-value.js';
import { ListItemError, listItemElement } from './list-item.js';
import { formatPath } from './path-set.js';
import { asList, asMap, shapeOf, type Shape } from './shape.js';

type Scalar = Extract<MergeType, { type: 'scalar' }>;

/**
 * Returns the errors that keep a value from being merged: type mismatches, unknown fields, list items with missing or
 * duplicate keys. Messages are those of structured-merge-diff's typed/validate.go.
 */
export function typedProblems(
  type: MergeType,
  value: unknown,
  allowsDuplicates = false,
  path: readonly string[] = [],
): string[] {
  if (value === null) return [];
  if (type.type === 'scalar') return scalarProblems(type.of, value, path);
  const shape = shapeOf(type, value);
  if (shape.type === 'list') return listProblems(shape, value, allowsDuplicates, path);
  return shape.type === 'map' ? mapProblems(shape, type, value, allowsDuplicates, path) : [];
}

/** Joins errors into one message. */
export function problemsText(problems: readonly string[]): string {
  const [only = ''] = problems;
  return problems.length === 1 ? only : ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n');
}

function scalarProblems(of: Scalar['of'], value: unknown, path: readonly string[]): string[] {
  const kind = kindOf(value);
  if (of === undefined ? kind !== undefined : kind === of) return [];
  switch (of) {
    case 'numeric':
      return [problem(path, `expected numeric (int or float), got ${goTypeOf(value)}`)];
    case 'string':
      return [problem(path, `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`)];
    default:
      return [problem(path, `expected ${of ?? 'any scalar'}, got &{${goText(value)}}`)];
  }
}

function kindOf(value: unknown): Scalar['of'] {
  const type = typeof value;
  if (type === 'number' || type === 'bigint') return 'numeric';
  return type === 'string' || type === 'boolean' ? type : undefined;
}

function problem(path: readonly string[], text: string): string {
  return path.length === 0 ? text : `${formatPath(path)}: ${text}`;
}

function mapProblems(
  shape: Extract<Shape, { type: 'map' }>,
  type: MergeType,
  value: unknown,
  allowsDuplicates: boolean,
  path: readonly string[],
): string[] {
  const map = asMap(value);
  if (!map) return [problem(path, `expected map, got &{${goText(value)}}`)];
  return Object.entries(map).flatMap(([name, member]) => {
    if (member === undefined) return [];
    const below = [...path, `f:${name}`];
    const isUnknown = type.type === 'map' && type.field(name) === undefined;
    return isUnknown
      ? [problem(below, 'field not declared in schema')]
      : typedProblems(shape.member(name), member, allowsDuplicates, below);
  });
}

function listProblems(list: MergeList, value: unknown, allowsDuplicates: boolean, path: readonly string[]): string[] {
  const items = asList(value);
  if (!items) return [problem(path, `expected list, got &{${goText(value)}}`)];
  if (list.listType === 'atomic')
    return items.flatMap((item, index) => typedProblems(list.item, item, allowsDuplicates, [...path, `i:${index}`]));
  return itemProblems(list, items, allowsDuplicates, path);
}

function itemProblems(
  list: MergeList,
  items: readonly unknown[],
  allowsDuplicates: boolean,
  path: readonly string[],
): string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const [index, item] of items.entries()) {
    const element = elementOf(list, item);
    // Items after one without a key are not checked.
    if (element instanceof ListItemError) return [...problems, problem(path, `element ${index}: ${element.message}`)];
    if (seen.has(element) && !allowsDuplicates)
      problems.push(problem(path, `duplicate entries for key ${formatPath([element])}`));
    seen.add(element);
    problems.push(...typedProblems(list.item, item, allowsDuplicates, [...path, element]));
  }
  return problems;
}

function elementOf(list: MergeList, item: unknown): string | ListItemError {
  try {
    return listItemElement(list, item);
  } catch (error) {
    if (error instanceof ListItemError) return error;
    throw error;
  }
}
