import type { KindRef } from '../../api/kinds/kind-ref.js';
import { splitKey, type ObjectKey } from '../../api/objects/object-key.js';
import { sleep, type Clock } from '../../base/clock.js';
import { ApiError, ConflictError, NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';

/** The options and services of a migration. */
export interface RewriteOptions {
  /** Objects per second. */
  readonly rate: number;
  /** Validate and convert the objects without storing them. */
  readonly dryRun: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the number of objects that were handled. */
  readonly onProgress: (done: number) => void;
}

/** An object that could not be rewritten. */
export interface RewriteFailure {
  readonly key: ObjectKey;
  readonly message: string;
}

const WORKERS = 8;
const ATTEMPTS = 5;

/**
 * Writes each object without a change, so that the API server stores it in the storage version, and returns those for
 * which this failed. Objects that no longer exist are ignored; failed ones are tried a second time at the end.
 *
 * An empty patch has no effect on concurrent writes, and the API server stores nothing if an object is already stored
 * in the storage version. The rewrite can therefore be interrupted and repeated at any time.
 *
 * @throws ConnectionError when the API server cannot be reached; the signal's reason
 */
export async function rewriteObjects(
  client: Client,
  kind: KindRef,
  keys: readonly ObjectKey[],
  options: RewriteOptions,
): Promise<RewriteFailure[]> {
  const first = await rewriteEach(client, kind, keys, options);
  if (first.length === 0) return [];
  const again = first.map(({ key }) => key);
  return rewriteEach(client, kind, again, { ...options, onProgress: () => undefined });
}

async function rewriteEach(
  client: Client,
  kind: KindRef,
  keys: readonly ObjectKey[],
  options: RewriteOptions,
): Promise<RewriteFailure[]> {
  const { clock, rate, signal, onProgress } = options;
  const failures: RewriteFailure[] = [];
  const left = keys.values();
  let done = 0;
  let nextMs = clock.monotonic();
  const work = async (): Promise<void> => {
    for (const key of left) {
      const startMs = Math.max(nextMs, clock.monotonic());
      nextMs = startMs + 1000 / rate;
      const waitMs = startMs - clock.monotonic();
      if (waitMs > 0) await sleep(clock, waitMs, signal);
      signal.throwIfAborted();
      const message = await rewrite(client, kind, key, options);
      if (message !== undefined) failures.push({ key, message });
      onProgress(++done);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return failures.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Returns the message of a failure. */
async function rewrite(
  client: Client,
  kind: KindRef,
  key: ObjectKey,
  { dryRun, signal }: RewriteOptions,
): Promise<string | undefined> {
  const { name, namespace } = splitKey(key);
  for (let attempt = 1; ; attempt++) {
    try {
      await client.patch(kind, name, {}, { namespace, dryRun, signal });
      return undefined;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      if (!(error instanceof ApiError)) throw error;
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) return error.message;
    }
  }
}
