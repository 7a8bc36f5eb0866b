import type { KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import { NotFoundError } from '../client/api-error.js';
import type { Client } from '../client/client.js';

/** The object as the server has it now, or undefined when there is none. */
export async function readLive<T extends KubeObject>(
  client: Client,
  kind: KindRef<T>,
  name: string,
  options: { readonly namespace: string | undefined; readonly signal: AbortSignal },
): Promise<KubeObject | undefined> {
  try {
    return await client.get(kind, name, options);
  } catch (error) {
    // Also the answer when the kind itself is not served, which must not pass for an absent object.
    if (error instanceof NotFoundError && !error.isResourceMissing) return undefined;
    throw error;
  }
}
