import type { KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import { NotFoundError } from '../client/api-error.js';
import type { Client } from '../client/client.js';

/** Reads the object from the server, past the cache. Returns undefined when it does not exist. */
export async function readLive<T extends KubeObject>(
  client: Client,
  kind: KindRef<T>,
  name: string,
  options: { readonly namespace: string | undefined; readonly signal: AbortSignal },
): Promise<KubeObject | undefined> {
  try {
    return await client.get(kind, name, options);
  } catch (error) {
    // The server also returns 404 for a kind that it does not serve. That is an error, not a missing object.
    if (error instanceof NotFoundError && !error.isResourceMissing) return undefined;
    throw error;
  }
}
