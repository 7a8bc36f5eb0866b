import { ApiError, ConflictError } from '../client/api-error.js';
import { AlreadyOwnedError } from './already-owned-error.js';
import { NotOwnedError } from './not-owned-error.js';

/** Bad Request, Forbidden, Payload Too Large, Unprocessable Content. */
const REJECTED: ReadonlySet<number> = new Set([400, 403, 413, 422]);

/**
 * Returns whether a request was rejected, by the API server or before it was sent, for a reason that a quick retry
 * cannot change: it is invalid or forbidden, or another controller or field manager owns the object or
 * one of its fields.
 */
export function isRejectedRequest(error: unknown): boolean {
  if (error instanceof AlreadyOwnedError || error instanceof NotOwnedError) return true;
  return error instanceof ApiError && (REJECTED.has(error.status) || isFieldConflict(error));
}

/** Another field manager owns an applied field; any other conflict is resolved by a retry from the current state. */
function isFieldConflict(error: ApiError): boolean {
  if (!(error instanceof ConflictError)) return false;
  return error.details?.causes?.some(({ reason }) => reason === 'FieldManagerConflict') ?? false;
}
