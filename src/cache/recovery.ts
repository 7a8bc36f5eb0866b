import { ApiError, GoneError, NotFoundError, TooManyRequestsError } from '../client/api-error.js';
import { ConnectionError } from '../client/connection-error.js';
import { BrokenWatchError } from './broken-watch-error.js';

/** After so many failures in a row a watch is not tried again at the same resourceVersion. */
const FAILURES_BEFORE_RELIST = 5;

/** Of two silent watches in a row, the second shows that its resourceVersion is not one the server will ever pass. */
const SILENCES_BEFORE_RELIST = 2;

/**
 * The longest delay before a kind that is not served is asked for again.
 *
 * The answer costs the server next to nothing, and a CRD that has just been installed should come to life at once
 * rather than at the end of a back-off of 30 s.
 */
const MISSING_KIND_DELAY_MS = 2_000;

/** The longest Retry-After that is obeyed: a proxy's page for maintenance may name a day. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Whether a failed watch needs a new list instead of being resumed at its resource version.
 *
 * It does after 410, after "too large resource version" and when the server rejects the request. A server that is down,
 * overloaded (429) or restarting has lost nothing: a list would only add to its load.
 */
export function needsRelist(error: Error, failuresInARow: number): boolean {
  if (error instanceof ConnectionError) return false;
  if (error instanceof BrokenWatchError && error.reason === 'closed') return false;
  if (error instanceof BrokenWatchError && error.reason === 'silent') return failuresInARow >= SILENCES_BEFORE_RELIST;
  if (error instanceof TooManyRequestsError) return false;
  if (error instanceof ApiError && isRefusal(error)) return true;
  return failuresInARow >= FAILURES_BEFORE_RELIST;
}

/** The watch can't go on as asked for, however often it is tried. */
function isRefusal({ status, reason, details }: ApiError): boolean {
  const isTooLarge = details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') ?? false;
  if (isTooLarge || reason === 'StoreReadError') return true;
  return status >= 400 && status < 500 && status !== 401 && status !== 408;
}

/** The resourceVersion has left the server's history: the ordinary course of things, not a fault. */
export function isExpired(error: Error): boolean {
  return error instanceof GoneError;
}

/** Whether the server does not know the streamed list (WatchList), which came with Kubernetes 1.32. */
export function isStreamedListRefused(error: Error): boolean {
  return error instanceof ApiError && [400, 405, 406, 415, 422].includes(error.status);
}

/** The delay before the next attempt: the back-off, or what the server asks for within bounds if that is longer. */
export function delayAfter(error: Error, backoffMs: number): number {
  if (error instanceof NotFoundError) return Math.min(backoffMs, MISSING_KIND_DELAY_MS);
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.max(backoffMs, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}
