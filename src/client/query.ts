import { formatSelector, type LabelSelector } from '../api/label-selector.js';

export type QueryValue = string | number | boolean | undefined;

/** Returns a query such as `?a=1&b=2`, or an empty string. Undefined values are omitted. */
export function formatQuery(parameters: Readonly<Record<string, QueryValue>>): string {
  let query = '';
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query += `${query === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return query;
}

/** Returns a selector as a query parameter, or undefined if it selects everything. */
export function selectorParameter(selector: string | LabelSelector | undefined): string | undefined {
  const text = typeof selector === 'object' ? formatSelector(selector) : selector;
  return text === '' ? undefined : text;
}
