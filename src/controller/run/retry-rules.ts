import { ApiError, ConflictError, isInvalidWithStatus500 } from '../../client/api-error.js';
import { AlreadyOwnedError } from './already-owned-error.js';
import { NotOwnedError } from './not-owned-error.js';

/** Bad Request, Forbidden, Method Not Allowed, Payload Too Large, Unsupported Media Type, Unprocessable Content. */
const REJECTED: ReadonlySet<number> = new Set([400, 403, 405, 413, 415, 422]);

/** Shortest delay after a rejected request: only a change of the object or the cluster can make it valid. */
export const REJECTED_RETRY_MS = 1000;

/** The longest Retry-After that is obeyed: a maintenance page of a proxy may specify a day. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** More consecutive conflicts of a key are failures: a cache that is behind has caught up by then, but a webhook refuses again. */
const MOST_TRANSIENT_CONFLICTS = 9;

/**
 * Returns whether a request was rejected, by the API server or before it was sent, for a reason that a quick retry
 * cannot change: it is invalid or forbidden, or another controller or field manager owns the object or
 * one of its fields.
 */
export function isRejectedRequest(error: unknown): boolean {
  if (error instanceof AlreadyOwnedError || error instanceof NotOwnedError) return true;
  if (!(error instanceof ApiError)) return false;
  return REJECTED.has(error.status) || isFieldConflict(error) || isInvalidWithStatus500(error);
}

/** Another field manager owns an applied field; any other conflict is resolved by a retry from the current state. */
function isFieldConflict(error: ApiError): boolean {
  if (!(error instanceof ConflictError)) return false;
  return error.details?.causes?.some(({ reason }) => reason === 'FieldManagerConflict') ?? false;
}

/**
 * Returns whether an object was not created because its namespace is being deleted, which is not a failure: the objects of
 * the namespace that are reconciled end with it.
 */
export function isTerminatingNamespace(error: unknown): boolean {
  return apiErrorOf(error)?.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}

/** Returns whether a retry from the current state is expected to resolve a conflict, after other ones in a row. */
export function isTransientConflict(error: Error, conflictsBefore: number): boolean {
  return error instanceof ConflictError && !isRejectedRequest(error) && conflictsBefore < MOST_TRANSIENT_CONFLICTS;
}

/**
 * Returns the shortest delay before a failed reconcile is retried; the back-off may be longer.
 *
 * It is a second for a rejected request, and the Retry-After of a response of the server. Both may be the cause of the
 * error. Never throws, because the error may be any value of a user.
 */
export function shortestRetryMs(error: Error): number {
  const answer = apiErrorOf(error);
  if (isRejectedRequest(answer ?? error)) return REJECTED_RETRY_MS;
  return Math.min(answer?.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
}

/** Returns the error of the server that an error is, or that has caused it. */
function apiErrorOf(error: unknown): ApiError | undefined {
  const seen = new Set<unknown>();
  try {
    for (let cause: unknown = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
      if (cause instanceof ApiError) return cause;
      seen.add(cause);
    }
  } catch {
    // A cause that cannot be read.
  }
  return undefined;
}
