import { isJsonObject } from '../base/json-object.js';

type Step = (values: readonly unknown[]) => unknown[];

/** Compiles kubectl's JSONPath as printer columns and selectable fields use it: names, indexes, wildcards, equality filters. */
export function compileJsonPath(text: string): (root: unknown) => unknown[] {
  const steps: Step[] = [];
  const token =
    /\.([^.[\]]+)|\[(?:'([^']*)'|"([^"]*)"|(-?\d+)|(\*)|\?\(@\.([^=!]+?)\s*==\s*(?:'([^']*)'|"([^"]*)"|([^)]*))\))\]/gy;
  for (const match of text.replaceAll('\\.', '\u0000').matchAll(token)) steps.push(stepOf(match));
  return (root) => steps.reduce<readonly unknown[]>((values, step) => step(values), [root]) as unknown[];
}

function stepOf(match: RegExpMatchArray): Step {
  const [, dotted, single, double, index, star, field, ...wanted] = match;
  const name = (dotted ?? single ?? double)?.replaceAll('\u0000', '.');
  if (name === '*' || star !== undefined) return (values) => values.flatMap(children);
  if (name !== undefined) return (values) => values.flatMap((value) => memberOf(value, name));
  if (index !== undefined) return (values) => values.flatMap((value) => itemOf(value, Number(index)));
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

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return isJsonObject(value) ? Object.values(value) : [];
}
