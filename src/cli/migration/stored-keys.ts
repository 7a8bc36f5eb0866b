import { resourceName, resourcePath, type KindRef } from '../../api/kinds/kind-ref.js';
import { objectKey, type ObjectKey } from '../../api/objects/object-key.js';
import { OperatorError } from '../../base/operator-error.js';
import { ApiError, GoneError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import type { ListPage } from '../../client/assert-list.js';

const PAGE = 500;
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/**
 * Lists the names of all objects of a kind, in pages of metadata.
 *
 * A list fails as a whole if one of its objects cannot be converted to the requested version. Each page is therefore
 * requested in the other versions too, with fewer objects if all of them fail: objects that are stored in the requested
 * version need no conversion.
 *
 * @param versions the kind in each version that the API server serves
 * @throws OperatorError (E_MIGRATION) if an object cannot be read in any version
 */
export async function listStoredKeys(
  client: Client,
  versions: readonly KindRef[],
  signal: AbortSignal,
): Promise<ObjectKey[]> {
  for (;;) {
    try {
      return await readKeys(client, versions, signal);
    } catch (error) {
      if (!(error instanceof GoneError)) throw error; // the list took longer than the API server keeps old revisions
    }
  }
}

/** @throws GoneError when the list must be started again */
async function readKeys(client: Client, versions: readonly KindRef[], signal: AbortSignal): Promise<ObjectKey[]> {
  const keys: ObjectKey[] = [];
  let token: string | undefined;
  let limit = PAGE;
  for (;;) {
    try {
      const page = await readableVersion(client, versions, limit, token, signal);
      for (const item of page.items ?? []) keys.push(objectKey(item));
      const { continue: next = '' } = page.metadata ?? {};
      if (next === '') return keys;
      token = next;
      limit = PAGE;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (limit === 1) throw unreadable(versions, keys.at(-1), error);
      limit = Math.ceil(limit / 10);
    }
  }
}

/** Returns a page in the first version in which all its objects can be read. */
async function readableVersion(
  client: Client,
  versions: readonly KindRef[],
  limit: number,
  token: string | undefined,
  signal: AbortSignal,
): Promise<ListPage> {
  let failure: unknown;
  for (const kind of versions) {
    try {
      return await client.request<ListPage>({
        method: 'GET',
        path: resourcePath(kind),
        query: { limit, continue: token },
        accept: METADATA_ONLY,
        retries: 1,
        signal,
      });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** While an API server cannot fill its cache of a version, lists in this version can end with 429 or a timeout too. */
function isUnreadable(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}

function unreadable([kind]: readonly KindRef[], last: ObjectKey | undefined, cause: ApiError): OperatorError {
  const place = last === undefined ? '' : ` after ${last}`;
  const name = kind ? resourceName(kind) : '';
  return new OperatorError(`the next object of ${name}${place} cannot be read in any version: ${cause.message}`, {
    code: 'E_MIGRATION',
    hint: 'check that the operator that converts the kind runs; nothing was changed in status.storedVersions',
    cause,
  });
}
