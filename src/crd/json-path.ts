import { isJsonObject } from '../base/json-object.js';

type Step = (values: readonly unknown[]) => unknown[];

/** Compiles kubectl's JSONPath as printer columns and selectable fields use it: names, indexes, ranges, wildcards, equality filters. */
export function compileJsonPath(text: string): (root: unknown) => unknown[] {
  const steps: Step[] = [];
  const token =
    /\.([^.[\]]+)|\[(?:'([^']*)'|"([^"]*)"|(-?\d+)|(-?\d*:-?\d*(?::\d*)?)|(\*)|\?\(@\.([^=!]+?)\s*==\s*(?:'([^']*)'|"([^"]*)"|([^)]*))\))\]/gy;
  for (const match of text.replaceAll('\\.', '\u0000').matchAll(token)) steps.push(stepOf(match));
  return (root) => steps.reduce<readonly unknown[]>((values, step) => step(values), [root]) as unknown[];
}

function stepOf(match: RegExpMatchArray): Step {
  const [, dotted, single, double, index, range, star, field, ...wanted] = match;
  const name = (dotted ?? single ?? double)?.replaceAll('\u0000', '.');
  if (name === '*') return (values) => values.flatMap(children);
  if (star !== undefined) return (values) => values.flatMap((value) => itemsIn(value, ':'));
  if (name !== undefined) return (values) => values.flatMap((value) => memberOf(value, name));
  if (index !== undefined) return (values) => values.flatMap((value) => itemOf(value, Number(index)));
  if (range !== undefined) return (values) => values.flatMap((value) => itemsIn(value, range));
  const read = compileJsonPath(`.${field ?? ''}`);
  const text = wanted.join('');
  return (values) => values.flatMap(children).filter((item) => String(read(item)[0]) === text);
}

function memberOf(value: unknown, name: string): unknown[] {
  return isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : [];
}

function itemOf(value: unknown, index: number): unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice(index).slice(0, 1) : [];
}

/** A range that reaches beyond the items there are has none. */
function itemsIn(value: unknown, range: string): unknown[] {
  if (!Array.isArray(value)) return [];
  const [from = '', to = '', step = ''] = range.split(':');
  const at = (text: string, otherwise: number): number => {
    const given = text === '' ? otherwise : Number(text);
    return given < 0 ? given + value.length : given;
  };
  const [start, end] = [at(from, 0), at(to, value.length)];
  if (start < 0 || end > value.length) return [];
  return (value as unknown[]).slice(start, end).filter((_, index) => index % (Number(step) || 1) === 0);
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return isJsonObject(value) ? Object.values(value) : [];
}
