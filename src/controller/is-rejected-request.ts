import { ApiError } from '../client/api-error.js';

/** Bad Request, Forbidden, Payload Too Large, Unprocessable Content. */
const REJECTED: ReadonlySet<number> = new Set([400, 403, 413, 422]);

/** Returns whether the API server rejected a request for a reason that a quick retry cannot change. */
export function isRejectedRequest(error: unknown): boolean {
  return error instanceof ApiError && REJECTED.has(error.status);
}
