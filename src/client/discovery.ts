import { apiVersionOf, type KindRef } from '../api/kinds/kind-ref.js';
import { NotFoundError } from './api-error.js';

interface ApiResourceList {
  readonly resources?: readonly { readonly name: string }[];
}

/** Returns whether the server serves a kind at its version. `get` fetches JSON from a path. */
export async function isServed(kind: KindRef, get: (path: string) => Promise<unknown>): Promise<boolean> {
  const { group, plural } = kind;
  try {
    const list = (await get(`${group === '' ? '/api/' : '/apis/'}${apiVersionOf(kind)}`)) as ApiResourceList;
    return list.resources?.some((resource) => resource.name === plural) ?? false;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
