import { ApiError, GoneError, NotFoundError, TooManyRequestsError } from '../client/api-error.js';
import { ConnectionError } from '../client/connection-error.js';
import { WatchError } from '../client/watch-error.js';

/** After this number of consecutive failures a watch is not resumed at the same resourceVersion. */
const FAILURES_BEFORE_RELIST = 5;

/** Two consecutive idle watches show that the server will not reach their resourceVersion. */
const IDLE_WATCHES_BEFORE_RELIST = 2;

/**
 * The longest delay before a kind that is not served is requested again.
 *
 * The request is cheap for the server, and a CRD that was just installed should be noticed quickly instead of after a
 * back-off of 30 s.
 */
const MISSING_KIND_DELAY_MS = 2_000;

/** The time limit for a list without earlier ones that were too slow, and the longest one. */
const LIST_TIMEOUT_MS = 30_000;
const LONGEST_LIST_TIMEOUT_MS = 300_000;

/** The longest Retry-After that is obeyed: a maintenance page of a proxy may specify a day. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Returns whether a failed watch needs a new list instead of being resumed at its resource version.
 *
 * It does after 410, after "too large resource version", after missed events, and when the server rejects the request. A server that is down,
 * overloaded (429) or restarting has lost nothing: a list would only add to its load.
 */
export function needsRelist(error: Error, failuresInARow: number): boolean {
  if (!countsAsFailure(error)) return false;
  if (error instanceof ApiError && isRefusal(error)) return true;
  return failuresInARow >= (error instanceof WatchError ? failuresBeforeRelist(error) : FAILURES_BEFORE_RELIST);
}

/**
 * Returns whether an error counts for `needsRelist`: a response that is not 429. A lost connection and missing credentials prove
 * nothing about the resource version.
 */
export function countsAsFailure(error: Error): boolean {
  return error instanceof WatchError || (error instanceof ApiError && !(error instanceof TooManyRequestsError));
}

/** Returns whether etcd may have been restored while a watch failed: an expired version and 429 come from a server that runs. */
export function mayHideRestore(error: Error): boolean {
  return !(error instanceof GoneError || error instanceof TooManyRequestsError);
}

function failuresBeforeRelist({ reason }: WatchError): number {
  if (reason === 'missed') return 1;
  if (reason === 'idle') return IDLE_WATCHES_BEFORE_RELIST;
  return reason === 'closed' ? Infinity : FAILURES_BEFORE_RELIST;
}

/** Returns whether retrying the same watch cannot succeed. */
function isRefusal({ status, reason, details }: ApiError): boolean {
  const isTooLarge = details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') ?? false;
  if (isTooLarge || reason === 'StoreReadError') return true;
  return status >= 400 && status < 500 && status !== 401 && status !== 408;
}

/** Returns whether the resourceVersion has expired, which is normal and not reported as a failure. */
export function isExpired(error: Error): boolean {
  return error instanceof GoneError;
}

/** Returns whether the server lacks streamed lists (WatchList), which Kubernetes 1.32 introduced. */
export function isStreamedListRefused(error: Error): boolean {
  return error instanceof ApiError && [400, 405, 406, 415, 422].includes(error.status);
}

/** Returns the delay before the next attempt: the back-off or, if longer, the bounded Retry-After of the server. */
export function delayAfter(error: Error, backoffMs: number): number {
  if (error instanceof NotFoundError) return Math.min(backoffMs, MISSING_KIND_DELAY_MS);
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.max(backoffMs, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

/** Returns whether a list took longer than its time limit, so that only a longer one can help. */
export function isTimeout(error: Error): boolean {
  return error instanceof ConnectionError
    ? error.reason === 'timeout'
    : error instanceof WatchError && error.reason === 'idle';
}

/**
 * Returns the time limit for a list after some that were too slow; undefined for the default of 30 s. API servers end requests
 * after 60 s, and an overloaded one would otherwise begin the same list again and again.
 */
export function listTimeoutMs(timeouts: number): number | undefined {
  return timeouts === 0 ? undefined : Math.min(LIST_TIMEOUT_MS * 2 ** timeouts, LONGEST_LIST_TIMEOUT_MS);
}

/** Returns whether pages may succeed although a streamed list failed, for example because a proxy buffers responses. */
export function cannotBeStreamed(error: unknown): boolean {
  return error instanceof WatchError || (error instanceof ConnectionError && error.reason === 'timeout');
}
