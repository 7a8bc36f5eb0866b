import { apiVersionOf, type KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import { OperatorError } from '../base/operator-error.js';
import { GoneError } from './api-error.js';
import type { ListPage } from './assert-list.js';
import { assertObject } from './assert-object.js';
import { ConnectionError } from './connection-error.js';
import { dropManagedFields } from './fields/drop-managed-fields.js';

/** The result of a list: all objects at one resourceVersion. */
export interface KubeList<T extends KubeObject = KubeObject> {
  readonly items: T[];
  /** The resourceVersion to start a watch from. */
  readonly resourceVersion: string;
}

/** Fetches a page, which `assertList` has accepted; a limit of 0 means no limit. */
export type FetchPage = (limit: number, continueToken: string | undefined) => Promise<ListPage>;

/** The factor by which a page that is too long becomes smaller, and how often it may. */
const REDUCTION = 4;
const MOST_REDUCTIONS = 2;

/**
 * Reads all pages of a list. A partial list is never returned.
 *
 * A continue token is valid for about five minutes. If it expires, the whole list is read without pages, as in client-go,
 * and if that is too long, in pages once more. A page that is too long for the client, or that does not arrive in time,
 * is read in smaller pages.
 *
 * @throws OperatorError (E_RESPONSE) if pages contradict each other.
 */
export async function readPages(fetch: FetchPage, limit: number): Promise<KubeList> {
  try {
    return await readAll(fetch, limit);
  } catch (error) {
    if (!(error instanceof ExpiredTokenError)) throw error;
  }
  try {
    return await readAll(fetch, 0);
  } catch (error) {
    if (!isTooLong(error)) throw error;
  }
  try {
    return await readAll(fetch, limit);
  } catch (error) {
    throw error instanceof ExpiredTokenError ? error.gone : error;
  }
}

/** A page could not be read because its token has expired. */
class ExpiredTokenError extends Error {
  constructor(readonly gone: GoneError) {
    super(gone.message);
  }
}

async function readAll(fetch: FetchPage, limit: number): Promise<KubeList> {
  const items: KubeObject[] = [];
  const pages = new PageReader(fetch, limit);
  const tokens = new Set<string>();
  let page = await pages.read(undefined);
  const { resourceVersion = '' } = page.metadata ?? {};
  if (typeof resourceVersion !== 'string') throw unexpected('a list whose resourceVersion is not a string');
  for (;;) {
    for (const item of page.items ?? []) items.push(item);
    const token = nextOf(page);
    if (token === undefined) return { items, resourceVersion };
    if (tokens.has(token)) throw unexpected('a page whose continue token is that of an earlier page');
    tokens.add(token);
    page = await pages.read(token);
  }
}

/** Returns the continue token of the next page; undefined for the last page. */
function nextOf({ metadata }: ListPage): string | undefined {
  return metadata?.continue === '' ? undefined : metadata?.continue;
}

/** Reads pages, which become smaller if they are too long. */
class PageReader {
  private reductions = 0;

  constructor(
    private readonly fetch: FetchPage,
    private limit: number,
  ) {}

  /** @throws ExpiredTokenError */
  async read(token: string | undefined): Promise<ListPage> {
    for (;;) {
      try {
        return await this.fetch(this.limit, token);
      } catch (error) {
        if (token !== undefined && error instanceof GoneError) throw new ExpiredTokenError(error);
        if (!isTooLong(error) || this.limit <= 1 || this.reductions === MOST_REDUCTIONS) throw error;
        this.reductions++;
        this.limit = Math.max(1, Math.floor(this.limit / REDUCTION));
      }
    }
  }
}

function isTooLong(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reason === 'timeout' && error.isPartial;
  return error instanceof OperatorError && error.code === 'E_RESPONSE_TOO_LONG';
}

function unexpected(received: string): OperatorError {
  return new OperatorError(`expected a list from the API server, received ${received}`, {
    code: 'E_RESPONSE',
    hint: 'check for a proxy between this program and the API server',
  });
}

/** Called with each object of a page before the next page is requested; the list contains what it returns. */
export type ItemTransform = (item: KubeObject) => KubeObject;

/**
 * Completes the objects of a page in place, so that a list of many pages holds no more of each object than it returns:
 * the part that the kind has, or what `transform` returns.
 */
export function preparePage(
  kind: KindRef,
  page: ListPage,
  keepManagedFields: boolean,
  transform?: ItemTransform,
): ListPage {
  const { items } = page;
  if (!Array.isArray(items)) return page;
  const reduce = kind.part?.reduce;
  for (const [index, item] of items.entries()) {
    if (reduce) assertObject(kind, item, 'list');
    let object = complete(kind, item);
    if (reduce || !keepManagedFields) dropManagedFields(object);
    if (reduce) object = reduce(object);
    items[index] = transform ? transform(object) : object;
  }
  return page;
}

/** Adds apiVersion and kind, which lists of built-in kinds omit and objects to write may omit. */
export function complete<T extends object>(kind: KindRef, object: T): T {
  const { apiVersion, kind: name } = object as Partial<KubeObject>;
  if (apiVersion !== undefined && name !== undefined) return object;
  const whole = { kind: '', apiVersion: '', ...object };
  whole.kind = name ?? kind.kind;
  whole.apiVersion = apiVersion ?? apiVersionOf(kind);
  return whole;
}
