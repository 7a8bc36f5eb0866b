import type { KindRef } from '../api/kinds/kind-ref.js';
import { formatSelector, type LabelSelector } from '../api/selection/label-selector.js';
import type { ListOptions } from './client-options.js';
import { escaped } from './invalid-request.js';

export type QueryValue = string | number | boolean | undefined;

/** Returns a query such as `?a=1&b=2`, or an empty string. Undefined values are omitted. */
export function formatQuery(parameters: Readonly<Record<string, QueryValue>>): string {
  let query = '';
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query += `${query === '' ? '?' : '&'}${escaped(name)}=${escaped(value)}`;
  }
  return query;
}

/** Returns a selector as a query parameter, or undefined if it selects everything. */
export function selectorParameter(selector: string | LabelSelector | undefined): string | undefined {
  const text = typeof selector === 'object' ? formatSelector(selector) : selector;
  return text === '' ? undefined : text;
}

/** Returns the selectors of a list or watch, which must match in addition to those of the kind's part. */
export function selectorQuery(
  { part }: KindRef,
  given: { readonly labelSelector?: string | LabelSelector | undefined; readonly fieldSelector?: string | undefined },
): Record<'labelSelector' | 'fieldSelector', string | undefined> {
  return {
    labelSelector: both(part?.labelSelector, selectorParameter(given.labelSelector)),
    fieldSelector: both(part?.fieldSelector, given.fieldSelector),
  };
}

/** Returns the query of a list. */
export function listParameters(kind: KindRef, options: Omit<ListOptions, 'namespace'>): Record<string, QueryValue> {
  const { resourceVersion, resourceVersionMatch } = options;
  return { ...selectorQuery(kind, options), resourceVersion, resourceVersionMatch };
}

function both(first: string | undefined, second: string | undefined): string | undefined {
  const selectors = [first, second].filter((selector) => selector !== undefined && selector !== '');
  return selectors.length === 0 ? undefined : selectors.join(',');
}

/** Returns the Accept header for objects of the kind: metadata only if the kind's part has nothing else. */
export function acceptOf({ part }: KindRef, form: 'object' | 'list'): string | undefined {
  if (part?.isMetadataOnly !== true) return undefined;
  const kind = form === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;
}
