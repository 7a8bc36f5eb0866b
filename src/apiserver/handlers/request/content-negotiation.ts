import { isReview } from '../reviews.js';
import { StatusError, unsupportedMediaType } from '../../errors/status-error.js';
import type { Resource } from '../../resources/resource.js';
import { matchesRoute } from '../../transport/response/accept-header.js';
import { mediaTypeOf, type ApiRequest } from '../../transport/request/api-request.js';
import { MEDIA_TYPES, negotiate } from '../../transport/response/negotiate.js';
import { acceptOptionsOf } from '../../transport/response/responder.js';

const CUSTOM_PATCHES = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
const PATCHES = [...CUSTOM_PATCHES, 'application/strategic-merge-patch+json'];
/** The media types of watches; YAML cannot be streamed. */
export const STREAMS = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
/** Subresources without columns, although their resource has some. */
const WITHOUT_COLUMNS = new Set([
  'apiservices.apiregistration.k8s.io/status',
  'certificatesigningrequests.certificates.k8s.io/approval',
  'customresourcedefinitions.apiextensions.k8s.io/status',
  'namespaces/finalize',
  'pods/ephemeralcontainers',
  'pods/resize',
  'resourceclaims.resource.k8s.io/status',
]);
/** Subresources with media types of their own. */
const STREAMED = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/** @throws StatusError 415 for an unsupported media type of the body, or 406 for one of the response */
export function assertMediaTypes(resource: Resource, request: ApiRequest): void {
  const { verb, subresource } = request.info;
  const { storage } = resource;
  if (resource.isCustom) assertCustomPatch(request);
  else {
    if (!STREAMED.has(subresource)) assertRoute(request);
    warnOfVersion(resource, request);
  }
  if (STREAMED.has(subresource)) return;
  const isAnswered = verb === 'create' && (subresource !== '' || isReview(resource));
  negotiate(acceptOptionsOf(request), {
    hasProtobuf: !resource.isCustom,
    hasTable: !isAnswered && !WITHOUT_COLUMNS.has(`${storage}/${subresource}`),
  });
}

export function warnOfVersion({ deprecationWarning }: Resource, { warnings }: ApiRequest): void {
  if (deprecationWarning !== undefined) warnings.push(deprecationWarning);
}

function assertCustomPatch({ info: { verb }, message }: ApiRequest): void {
  const type = mediaTypeOf(message.headers['content-type'] ?? '');
  if (verb === 'patch' && !CUSTOM_PATCHES.includes(type)) throw unsupportedMediaType(CUSTOM_PATCHES);
}

/** Checks made by go-restful's router, before any handler runs. */
function assertRoute({ info: { verb }, message }: ApiRequest): void {
  const { accept = '', 'content-type': contentType = '' } = message.headers;
  if (verb === 'patch' && !matchesRoute(contentType, PATCHES))
    throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  if (matchesRoute(accept, MEDIA_TYPES)) return;
  assertProduced(accept, verb === 'list' || verb === 'watch' ? [...MEDIA_TYPES, ...STREAMS] : MEDIA_TYPES);
}

/**
 * Checks that a client accepts a media type of a route.
 * @throws StatusError 406
 */
export function assertProduced(accept: string, produced: readonly string[]): void {
  if (accept === '' || matchesRoute(accept, produced)) return;
  const refusal = `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`;
  throw new StatusError(406, 'NotAcceptable', refusal, {});
}
