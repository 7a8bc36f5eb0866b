import { apiVersionOf } from '../api/kinds/kind-ref.js';
import { subresourceKind } from '../api/kinds/subresource.js';
import { OperatorError } from '../base/operator-error.js';
import { isExpectedKind, isFilledString } from './assert-object.js';
import type { OutgoingRequest, RequestTarget } from './client-options.js';

type Members = Readonly<Record<string, unknown>>;

/** The subresources that have the type of the kind. Subresources of aggregated API servers can have any type. */
const OWN_TYPE: ReadonlySet<string | undefined> = new Set([undefined, 'status', 'ephemeralcontainers', 'resize']);

/**
 * Rejects the response to a request of one object, unless it is that object: of the kind, with the name and namespace of
 * the request, and with uid and resourceVersion if it is stored. The response to a deletion may also be a Status, or the
 * object without resourceVersion.
 *
 * Not stored are the objects of virtual kinds, such as reviews: they have neither uid nor resourceVersion. The result of a
 * dry run may have no resourceVersion. Lists are checked by their readers.
 *
 * The message contains no value of the response but its kind, because it can be a Secret.
 *
 * @throws OperatorError (E_RESPONSE)
 */
export function assertResponse(request: OutgoingRequest, response: unknown): void {
  const { method, path, target } = request;
  if (!target) return;
  const problem = responseProblem(request, target, response);
  if (problem === undefined) return;
  throw new OperatorError(`${method} ${path}: the response is not ${problem}`, {
    code: 'E_RESPONSE',
    hint: 'check for a proxy between this program and the API server; read other responses with client.request',
  });
}

function responseProblem(request: OutgoingRequest, target: RequestTarget, response: unknown): string | undefined {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return 'a JSON object';
  if (request.method === 'GET' && target.name === undefined) return undefined;
  const problem = problemOf(request, target, response as Members);
  return problem === undefined ? undefined : `the requested object, because ${problem}`;
}

function problemOf(request: OutgoingRequest, target: RequestTarget, response: Members): string | undefined {
  const { kind: actual } = response;
  if (actual === 'Status' && mayBeStatus(request, target)) {
    return response['status'] === 'Failure' ? 'its status is Failure' : undefined;
  }
  const own = subresourceKind(target.subresource);
  if (own) return actual === own.kind ? undefined : unexpected('kind', actual);
  if (isOfOtherType(target, actual)) return undefined;
  return typeProblem(target, response) ?? metadataProblem(request, target, response['metadata']);
}

function mayBeStatus({ method }: OutgoingRequest, { kind, subresource }: RequestTarget): boolean {
  return method === 'DELETE' || (method === 'POST' && (subresource !== undefined || kind.kind === 'Binding'));
}

function isOfOtherType({ kind, subresource }: RequestTarget, actual: unknown): boolean {
  return !OWN_TYPE.has(subresource) && typeof actual === 'string' && actual !== kind.kind;
}

function typeProblem({ kind }: RequestTarget, { kind: actual, apiVersion }: Members): string | undefined {
  if (actual !== undefined && !isExpectedKind(kind, actual)) return unexpected('kind', actual);
  if (apiVersion === undefined || actual === 'PartialObjectMetadata') return undefined;
  return apiVersion === apiVersionOf(kind) ? undefined : unexpected('apiVersion', apiVersion);
}

function metadataProblem(request: OutgoingRequest, target: RequestTarget, metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null) return 'it has no metadata';
  return addressProblem(metadata as Members, target) ?? storageProblem(metadata as Members, request, target);
}

function addressProblem(metadata: Members, { kind, name, namespace }: RequestTarget): string | undefined {
  if (name !== undefined && metadata['name'] !== name) return 'it has another name';
  const isInNamespace =
    kind.scope === 'Cluster' ? isAbsent(metadata['namespace']) : metadata['namespace'] === namespace;
  return isInNamespace ? undefined : 'it is in another namespace';
}

function storageProblem(metadata: Members, request: OutgoingRequest, target: RequestTarget): string | undefined {
  const { name, uid, resourceVersion } = metadata;
  if (isAbsent(uid) && isAbsent(resourceVersion) && mayBeVirtual(request)) return undefined;
  if (target.name === undefined && !isFilledString(name)) return 'it has no name';
  return isFilledString(uid) ? versionProblem(resourceVersion, request) : 'it has no uid';
}

function mayBeVirtual({ method, body }: OutgoingRequest): boolean {
  return method === 'GET' || (method === 'POST' && !hasGenerateName(body));
}

/** The API server answers a deletion that another one overtook with the object as it was, without resourceVersion. */
function versionProblem(resourceVersion: unknown, { method, query }: OutgoingRequest): string | undefined {
  const mayBeAbsent = method === 'DELETE' || query?.['dryRun'] !== undefined;
  const isValid = isFilledString(resourceVersion) || (mayBeAbsent && isAbsent(resourceVersion));
  return isValid ? undefined : 'it has no resourceVersion';
}

function hasGenerateName(body: unknown): boolean {
  const given = body as { readonly metadata?: { readonly generateName?: unknown } } | undefined;
  return given?.metadata?.generateName !== undefined;
}

/** Go encodes some missing strings as empty ones. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === '';
}

/** The kind of an object is not secret, but can be anything. */
function unexpected(what: string, value: unknown): string {
  return `its ${what} is ${typeof value === 'string' ? value.slice(0, 100) : typeof value}`;
}
