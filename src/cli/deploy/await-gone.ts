import type { KindRef } from '../../api/kind-ref.js';
import { keyOf } from '../../api/object-key.js';
import type { UnstructuredObject } from '../../api/kube-object.js';
import { sleep, type Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { say } from './say.js';

/** How long something is waited for, and by which clock. */
export interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const POLL_MS = 200;
const NEWS_AFTER_MS = 2000;

/** Asks for an object, undefined when there is none. */
export async function find(
  client: Client,
  kind: KindRef<UnstructuredObject>,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
): Promise<UnstructuredObject | undefined> {
  try {
    return await client.get(kind, name, { namespace });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/**
 * Deletes an object and waits until it is gone; false when there was none.
 *
 * @param held says what holds it up, after two seconds and whenever that changes
 * @throws OperatorError when it is still there at the end of the time
 */
export async function deleteAndAwait(
  client: Client,
  kind: KindRef<UnstructuredObject>,
  object: UnstructuredObject,
  patience: Patience,
  held: (left: UnstructuredObject) => Promise<string> = (left) => Promise.resolve(finalizersOf(left)),
): Promise<boolean> {
  const { name, namespace } = object.metadata;
  const { clock, signal, timeoutMs } = patience;
  if (!(await find(client, kind, object.metadata))) return false;
  await client.delete(kind, name, { namespace, propagationPolicy: 'Foreground' }).catch(unlessGone);
  const start = clock.monotonic();
  let told = '';
  for (;;) {
    const left = await find(client, kind, object.metadata);
    if (!left) return true;
    const waitedMs = clock.monotonic() - start;
    const reason = waitedMs < NEWS_AFTER_MS ? told : await held(left);
    if (waitedMs > timeoutMs) throw stillThere(`${kind.kind} ${keyOf(name, namespace)}`, reason);
    if (reason !== told) say(`waiting for ${kind.kind} ${keyOf(name, namespace)} to go: ${reason}`);
    told = reason;
    await sleep(clock, POLL_MS, signal);
  }
}

function finalizersOf({ metadata }: UnstructuredObject): string {
  const { finalizers = [] } = metadata;
  return finalizers.length === 0 ? 'it is being deleted' : `finalizers ${finalizers.join(', ')}`;
}

function unlessGone(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}

function stillThere(what: string, reason: string): OperatorError {
  return new OperatorError(`${what} is still there: ${reason}`, {
    code: 'E_TIMEOUT',
    hint: 'a finalizer is taken off by its operator: is it running? wait longer with --timeout',
  });
}
