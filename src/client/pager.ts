import type { KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import { OperatorError } from '../base/operator-error.js';
import { GoneError } from './api-error.js';
import { assertObject } from './assert-object.js';
import { dropManagedFields } from './drop-managed-fields.js';

/** The result of a list: all objects at one resourceVersion. */
export interface KubeList<T extends KubeObject = KubeObject> {
  readonly items: T[];
  /** The resourceVersion to start a watch from. */
  readonly resourceVersion: string;
}

/** One page as the server sends it. */
export interface ListPage {
  readonly kind?: string;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: KubeObject[] | null;
}

/** Fetches a page; a limit of 0 means no limit. */
export type FetchPage = (limit: number, continueToken: string | undefined) => Promise<ListPage>;

/**
 * Reads all pages of a list.
 *
 * A continue token is valid for about five minutes. If it expires, the whole list is read again without pages. A
 * partial list is never returned.
 *
 * @throws OperatorError (E_RESPONSE) if a response is not a list. A proxy can return its own page with status 200,
 * which must not be taken for an empty list.
 */
export async function readPages(fetch: FetchPage, limit: number): Promise<KubeList> {
  try {
    return await readAll(fetch, limit);
  } catch (error) {
    if (!(error instanceof GoneError) || limit === 0) throw error;
    return readAll(fetch, 0);
  }
}

async function readAll(fetch: FetchPage, limit: number): Promise<KubeList> {
  const items: KubeObject[] = [];
  let page = await fetch(limit, undefined);
  for (;;) {
    assertList(page);
    for (const item of page.items ?? []) items.push(item);
    const token = page.metadata?.continue;
    if (token === undefined || token === '') return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
    page = await fetch(limit, token);
  }
}

/** Some aggregated API servers omit `kind`, so an array of items is enough. */
function assertList({ kind, items }: ListPage): void {
  const isList = kind?.endsWith('List') ?? Array.isArray(items);
  if (isList && Array.isArray(items ?? [])) return;
  throw new OperatorError(
    `expected a list from the API server, received ${kind ?? 'an object without kind and items'}`,
    {
      code: 'E_RESPONSE',
      hint: 'check for a proxy between this program and the API server',
    },
  );
}

/** Returns the page with the part of each object that the kind has; called before the next page is read. */
export function reducePage(kind: KindRef, page: ListPage): ListPage {
  const reduce = kind.part?.reduce;
  if (!reduce || !Array.isArray(page.items)) return page;
  const items = page.items.map((item) => {
    assertObject(kind, item, 'list');
    dropManagedFields(item);
    return reduce(item);
  });
  return { ...page, items };
}
