import type { KubeObject } from '../api/kube-object.js';
import { GoneError } from './api-error.js';

/** What a list returns: all objects, as they were at one resourceVersion. */
export interface KubeList<T extends KubeObject = KubeObject> {
  readonly items: T[];
  /** To watch from. */
  readonly resourceVersion: string;
}

/** One page as the server sends it. */
export interface ListPage {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: KubeObject[] | null;
}

/** Fetches a page; a limit of 0 is none. */
export type FetchPage = (limit: number, continueToken: string | undefined) => Promise<ListPage>;

/**
 * Reads all pages, handing on the objects of each as it comes.
 *
 * A continue token lives for some five minutes. When one has expired the list is read again as a whole: nothing of a
 * half list is returned.
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
    for (const item of page.items ?? []) items.push(item);
    const token = page.metadata?.continue;
    if (token === undefined || token === '') return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
    page = await fetch(limit, token);
  }
}
