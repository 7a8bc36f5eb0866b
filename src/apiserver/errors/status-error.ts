import { goQuoted } from '../../base/go-quoted.js';
import type { Status, StatusDetails } from '../../api/protocol/status.js';
import { formatFieldErrors, toCause, type FieldError } from '../../api/protocol/field-error.js';

/** The group and plural name of a resource in errors and RBAC rules. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

/** The group and kind of the object of an error. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** An API error with the Status that clients receive: metav1.Status. */
export class StatusError extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: StatusDetails,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The list metadata of the Status. */
    readonly metadata: object = {},
  ) {
    super(message);
  }

  toStatus(): Status & { metadata: object } {
    const { code, reason, message, details, metadata } = this;
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason !== '' && { reason }),
      ...(details && { details }),
      code,
    };
  }
}

function qualified({ group, plural }: GroupResource): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function detailsOf({ group, plural }: GroupResource, name: string): StatusDetails {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: plural };
}

export function notFound(resource: GroupResource, name: string): StatusError {
  return new StatusError(
    404,
    'NotFound',
    `${qualified(resource)} ${goQuoted(name)} not found`,
    detailsOf(resource, name),
  );
}

/** @param isGenerated - true if the server may have generated the name */
export function alreadyExists(
  resource: GroupResource,
  name: string,
  { isGenerated, isBeingDeleted }: { readonly isGenerated: boolean; readonly isBeingDeleted: boolean },
): StatusError {
  const [prefix, suffix] = [
    isBeingDeleted ? 'object is being deleted: ' : '',
    isGenerated ? ', the server was not able to generate a unique name for the object' : '',
  ];
  const message = `${prefix}${qualified(resource)} ${goQuoted(name)} already exists${suffix}`;
  const details = { ...detailsOf(resource, name), ...(isGenerated && { retryAfterSeconds: 1 }) };
  return new StatusError(409, 'AlreadyExists', message, details);
}

export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} ${goQuoted(name)}: ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(resource, name));
}

export function modified(resource: GroupResource, name: string): StatusError {
  return conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function forbidden(
  resource: GroupResource,
  name: string,
  why: string,
  causes?: StatusDetails['causes'],
): StatusError {
  const subject =
    name === '' ? `${qualified(resource)} is forbidden` : `${qualified(resource)} ${goQuoted(name)} is forbidden`;
  return new StatusError(403, 'Forbidden', `${subject}: ${why}`, {
    ...detailsOf(resource, name),
    ...(causes && { causes }),
  });
}

/** An unnamed object has an empty name in the error. */
export function invalid(
  { group, kind }: GroupKind,
  name: string | undefined,
  errors: readonly FieldError[],
): StatusError {
  return new StatusError(
    422,
    'Invalid',
    `${kind}${group === '' ? '' : `.${group}`} ${goQuoted(name ?? '')} is invalid: ${formatFieldErrors(errors)}`,
    {
      ...(name && { name }),
      ...(group !== '' && { group }),
      ...(kind !== '' && { kind }),
      ...(errors.length > 0 && { causes: errors.map(toCause) }),
    },
  );
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

/** @param verb empty for a method without a verb for objects */
export function methodNotSupported(resource: GroupResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${goQuoted(qualified(resource))}`;
  return new StatusError(405, 'MethodNotAllowed', message, detailsOf(resource, ''));
}

/** The error of a path that is not served. */
export function notServed(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

export function notAcceptable(accepted: readonly string[]): StatusError {
  return new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);
}

/** @param continueToken a token with which the client can continue the list */
export function expired(message: string, continueToken?: string): StatusError {
  const metadata = continueToken === undefined ? {} : { continue: continueToken };
  return new StatusError(410, 'Expired', message, undefined, {}, metadata);
}

export function tooLarge(message: string): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', message);
}

export function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized');
}

/** The error of a resourceVersion that does not exist yet; clients should retry. */
export function tooLargeResourceVersion(wanted: number, current: number): StatusError {
  return new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** The error of a request that is not received completely in time. */
export function bodyTimeout(): StatusError {
  return new StatusError(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout', {});
}

export function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}
