import { formatSelector, type LabelSelector } from '../api/label-selector.js';

export type QueryValue = string | number | boolean | undefined;

/** `?a=1&b=2`, or nothing; what is undefined is left out. */
export function formatQuery(parameters: Readonly<Record<string, QueryValue>>): string {
  let query = '';
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query += `${query === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return query;
}

/** A selector as the parameter takes it; undefined when it selects everything. */
export function selectorParameter(selector: string | LabelSelector | undefined): string | undefined {
  const text = typeof selector === 'object' ? formatSelector(selector) : selector;
  return text === '' ? undefined : text;
}
