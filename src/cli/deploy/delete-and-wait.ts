import type { KindRef } from '../../api/kinds/kind-ref.js';
import { keyOf } from '../../api/objects/object-key.js';
import type { KubeObject, UnstructuredObject } from '../../api/objects/kube-object.js';
import { sleep, type Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { printLine } from '../print-line.js';

/** Timeout of a wait, and the clock and signal that it uses. */
export interface WaitOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const POLL_MS = 200;
const FIRST_MESSAGE_MS = 2000;

/** Gets an object; returns undefined when it does not exist. */
export async function find<T extends KubeObject = UnstructuredObject>(
  client: Client,
  kind: KindRef<T>,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
): Promise<T | undefined> {
  try {
    return await client.get(kind, name, { namespace });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/**
 * Deletes an object and waits until it no longer exists; returns false when it did not exist.
 *
 * @param blockerOf describes what delays the deletion; printed after two seconds and whenever it changes
 * @throws OperatorError when the object still exists after the timeout
 */
export async function deleteAndWait(
  client: Client,
  kind: KindRef<UnstructuredObject>,
  object: UnstructuredObject,
  wait: WaitOptions,
  blockerOf: (left: UnstructuredObject) => Promise<string> = (left) => Promise.resolve(finalizersOf(left)),
): Promise<boolean> {
  const { name, namespace } = object.metadata;
  const { clock, signal, timeoutMs } = wait;
  if (!(await find(client, kind, object.metadata))) return false;
  await client.delete(kind, name, { namespace, propagationPolicy: 'Foreground' }).catch(ignoreNotFound);
  const start = clock.monotonic();
  let printed = '';
  for (;;) {
    const left = await find(client, kind, object.metadata);
    if (!left) return true;
    const waitedMs = clock.monotonic() - start;
    const reason = waitedMs < FIRST_MESSAGE_MS ? printed : await blockerOf(left);
    if (waitedMs > timeoutMs) throw timedOut(`${kind.kind} ${keyOf(name, namespace)}`, reason);
    if (reason !== printed) printLine(`waiting for ${kind.kind} ${keyOf(name, namespace)} to be deleted: ${reason}`);
    printed = reason;
    await sleep(clock, POLL_MS, signal);
  }
}

function finalizersOf({ metadata }: UnstructuredObject): string {
  const { finalizers = [] } = metadata;
  return finalizers.length === 0 ? 'deletion is in progress' : `finalizers ${finalizers.join(', ')}`;
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}

function timedOut(what: string, reason: string): OperatorError {
  return new OperatorError(`timed out waiting for ${what} to be deleted: ${reason}`, {
    code: 'E_TIMEOUT',
    hint: 'check that the operator that removes the finalizer is running, or wait longer with --timeout',
  });
}
