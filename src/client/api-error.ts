import { stringifyJson } from '../base/json.js';
import { OperatorError } from '../base/operator-error.js';
import { isStatus, type Status, type StatusDetails } from '../api/protocol/status.js';

/** The request that the server rejected. */
export interface ApiRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Such as `deployments.apps`; undefined for requests without a resource. */
  readonly resource?: string | undefined;
}

export interface ApiErrorOptions {
  readonly status: number;
  readonly reason: string;
  readonly request: ApiRequest;
  readonly details?: StatusDetails | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly hint?: string | undefined;
}

/** An error response of the API server; the message is the server's own. */
export class ApiError extends OperatorError {
  /** HTTP status code. */
  readonly status: number;
  /** metav1.StatusReason, such as `NotFound` or `Conflict`. */
  readonly reason: string;
  readonly request: ApiRequest;
  readonly details: StatusDetails | undefined;
  /** The delay before a retry that the server requested. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { status, reason, request, details, retryAfterMs, hint }: ApiErrorOptions) {
    super(message, { code: 'E_API', hint });
    this.status = status;
    this.reason = reason;
    this.request = request;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 404: the object or the kind does not exist. */
export class NotFoundError extends ApiError {
  /** True if the server does not serve the kind (its CRD is not installed); false if only the object is missing. */
  get isResourceMissing(): boolean {
    return this.details?.kind === undefined;
  }
}

/** Returns whether the server serves the kind, and the object does not exist. */
export function isObjectMissing(error: unknown): boolean {
  return error instanceof NotFoundError && !error.isResourceMissing;
}

/**
 * Returns whether an error has status 500 although it is that of an invalid request: an apply that does not fit the schema,
 * for example because of two list items with one key, a strategic patch of an item without its key, or an object that is
 * too large.
 */
export function isInvalidWithStatus500({ status, message }: ApiError): boolean {
  return status === 500 && (INVALID_PATCH.test(message) || EXCEEDS_STORAGE.test(message));
}

/** 409, reason AlreadyExists: the object to create exists. */
export class AlreadyExistsError extends ApiError {}

/** 409: the object has changed since it was read, or another field manager owns what was applied. */
export class ConflictError extends ApiError {}

/** 422: the object is invalid under its schema or validation rules. */
export class InvalidError extends ApiError {}

/** 410: the resourceVersion or continue token is too old; list again. */
export class GoneError extends ApiError {}

/** 403: the message names the verb, the resource, the namespace and the user. */
export class ForbiddenError extends ApiError {}

/** 401: the credentials are missing, wrong or expired. */
export class UnauthorizedError extends ApiError {}

/** 429: the server requires a delay. */
export class TooManyRequestsError extends ApiError {}

/** 429: a PodDisruptionBudget does not allow the eviction now. */
export class DisruptionBudgetError extends TooManyRequestsError {}

type ErrorClass = new (message: string, options: ApiErrorOptions) => ApiError;

const BY_STATUS: ReadonlyMap<number, ErrorClass> = new Map<number, ErrorClass>([
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, GoneError],
  [422, InvalidError],
  [429, TooManyRequestsError],
]);

const LONGEST_EXCERPT = 200;
const FIELD_CONFLICT = 'leave the field to the other manager, or apply with { force: true }';
const TOO_LARGE = 'an object may have about 1.5 MB: store a part of the data in ConfigMaps or other objects';
const NO_STRATEGIC_PATCH = "use type: 'merge' or 'json', or apply: custom resources have no strategic patch";
const INVALID_PATCH = /^failed to create typed \w+ object|does not contain declared merge key/;
/** The API server returns both with status 500: the first is of etcd, the second of the connection to it. */
const EXCEEDS_STORAGE = /^etcdserver: request is too large$|trying to send message larger than max/;

/** Returns the error of a response or of a watch's ERROR event; `body` is parsed JSON, or text if it is not JSON. */
export function toApiError(status: number, body: unknown, request: ApiRequest, retryAfterMs?: number): ApiError {
  if (!isStatus(body)) return fromText(status, textOf(body), request, retryAfterMs);
  const known = wellFormed(body);
  return fromStatus(status, known, request, retryAfterMs ?? secondsOf(known));
}

function fromStatus(httpStatus: number, body: Status, request: ApiRequest, retryAfterMs: number | undefined): ApiError {
  const { code: status = httpStatus, reason = '', message = `the server returned status ${status}`, details } = body;
  const isKindMissing = status === 404 && details?.kind === undefined;
  const hint = hintFor({ code: status, message, details }, request);
  const options = { status, reason, request, details, retryAfterMs, hint };
  return create(isKindMissing ? missingKind(request) : message, options);
}

function hintFor(
  { code, message, details }: { code: number; message: string; details: StatusDetails | undefined },
  { method }: ApiRequest,
): string | undefined {
  if (details?.causes?.some((cause) => cause.reason === 'FieldManagerConflict')) return FIELD_CONFLICT;
  if (code === 413 || EXCEEDS_STORAGE.test(message)) return TOO_LARGE;
  return code === 415 && method === 'PATCH' && !message.includes('strategic') ? NO_STRATEGIC_PATCH : undefined;
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : stringifyJson(body ?? null);
}

/** Leaves out the members that do not have the type of a Status, as a server other than Kubernetes may send them. */
function wellFormed({ kind, apiVersion, code, reason, message, details }: Status): Status {
  return {
    kind,
    apiVersion,
    ...(Number.isInteger(code) && { code }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof message === 'string' && { message }),
    ...(isObject(details) && { details: wellFormedDetails(details) }),
  };
}

function wellFormedDetails(details: StatusDetails): StatusDetails {
  const { causes, retryAfterSeconds, ...rest } = details;
  return {
    ...rest,
    ...(Array.isArray(causes) && { causes: causes.filter(isObject) }),
    ...(Number.isFinite(retryAfterSeconds) && { retryAfterSeconds }),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function secondsOf({ details }: Status): number | undefined {
  return details?.retryAfterSeconds === undefined ? undefined : details.retryAfterSeconds * 1000;
}

/** The error of a response without a Status, as from a proxy or a server other than Kubernetes. */
function fromText(status: number, text: string, request: ApiRequest, retryAfterMs: number | undefined): ApiError {
  if (status === 404) return create(missingKind(request), { status, reason: 'NotFound', request, retryAfterMs });
  const excerpt = text
    .slice(0, 10 * LONGEST_EXCERPT)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_EXCERPT);
  const message = `${request.method} ${request.path} returned status ${status}${excerpt && `: ${excerpt}`}`;
  const hint = excerpt.includes('HTTP request to an HTTPS server') ? 'use https:// in the address' : undefined;
  return create(message, { status, reason: '', request, retryAfterMs, hint });
}

/** The server's message, with the request added. */
function missingKind({ method, path, resource }: ApiRequest): string {
  return `the server could not find the requested resource (${method} ${resource ?? path})`;
}

function create(message: string, options: ApiErrorOptions): ApiError {
  const { status, reason } = options;
  if (reason === 'AlreadyExists') return new AlreadyExistsError(message, options);
  if (reason === 'Expired' || reason === 'Gone') return new GoneError(message, options);
  if (status === 429 && options.details?.causes?.some((cause) => cause.reason === 'DisruptionBudget') === true) {
    return new DisruptionBudgetError(message, options);
  }
  const Class = BY_STATUS.get(status) ?? ApiError;
  return new Class(message, options);
}
