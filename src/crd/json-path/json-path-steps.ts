import { isJsonObject } from '../../base/json-object.js';
import { JsonPathError } from './json-path-error.js';

/** Maps the values of the previous step to the values of this step: client-go's util/jsonpath. */
export type Step = (values: readonly unknown[]) => unknown[];

export const walk = (steps: readonly Step[], values: readonly unknown[]): unknown[] =>
  steps.reduce<unknown[]>((found, step) => step(found), [...values]);

export const fieldStep =
  (name: string): Step =>
  (values) =>
    values.flatMap((value) => (isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : []));

export const wildcardStep: Step = (values) => values.flatMap(children);

/** Returns all descendants that have children. */
export const recursiveStep: Step = (values) =>
  values.flatMap((value) => {
    const below = children(value);
    return below.length === 0 ? [] : [value, ...recursiveStep(below)];
  });

export const unionStep =
  (paths: readonly (readonly Step[])[]): Step =>
  (values) =>
    paths.flatMap((steps) => walk(steps, values));

export const literalStep =
  (literal: string | number | boolean): Step =>
  (values) =>
    typeof literal === 'string' ? [literal] : values.map(() => literal);

/** The bounds of a range; a single index has neither end nor step. */
export interface Bounds {
  readonly start: number | undefined;
  /** Undefined means to the end; null means only the item at `start`. */
  readonly end: number | undefined | null;
  readonly step: number | undefined;
}

export const rangeStep =
  (bounds: Bounds): Step =>
  (values) => {
    const found: unknown[] = [];
    for (const value of values) {
      if (value === null) continue;
      const items = itemsIn(value, bounds);
      if (!items) return found;
      found.push(...items);
    }
    return found;
  };

function itemsIn(value: unknown, bounds: Bounds): unknown[] | undefined {
  if (!Array.isArray(value)) throw new JsonPathError('not an array');
  const { length } = value;
  const [start, end] = [startIn(bounds, length), endIn(bounds, length)];
  if (start === end) return undefined;
  if (start > end || [start, end - 1].some((index) => index < 0 || index >= length))
    throw new JsonPathError('array index out of bounds');
  const { step = 1 } = bounds;
  if (step <= 0) throw new JsonPathError('step must be > 0');
  return (value as unknown[]).slice(start, end).filter((_, index) => index % step === 0);
}

function startIn({ start = 0 }: Bounds, length: number): number {
  return start < 0 ? start + length : start;
}

function endIn({ start = 0, end }: Bounds, length: number): number {
  if (end === null) return start < 0 ? start + 1 + length : start + 1;
  const given = end ?? length;
  return given < 0 ? given + length : given;
}

/** @param right undefined when the left side only has to exist */
export const filterStep =
  (left: readonly Step[], right?: { readonly operator: string; readonly steps: readonly Step[] }): Step =>
  (values) =>
    values.flatMap((value) => {
      if (!Array.isArray(value)) throw new JsonPathError('cannot be filtered');
      return (value as unknown[]).filter((item) => {
        const lefts = walk(left, [item]);
        if (!right || lefts.length === 0) return lefts.length > 0;
        const rights = walk(right.steps, [item]);
        if (lefts.length > 1 || rights.length > 1) throw new JsonPathError('can only compare one element at a time');
        return rights.length > 0 && compares(lefts[0], rights[0], right.operator);
      });
    });

type Comparable = string | number | boolean;

function compares(left: unknown, right: unknown, operator: string): boolean {
  const kind = kindOf(left);
  if (kind === undefined || kind !== kindOf(right)) throw new JsonPathError('incompatible types for comparison');
  const [a, b] = [left as Comparable, right as Comparable];
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (kind === 'boolean') throw new JsonPathError('invalid type for comparison');
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

/** Only numbers of the same kind are compared. */
function kindOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return typeof value === 'string' || typeof value === 'boolean' ? typeof value : undefined;
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return isJsonObject(value) ? Object.values(value) : [];
}
