import { isReview } from '../auth/reviews.js';
import { StatusError, unsupportedMediaType } from '../errors/status-error.js';
import type { Resource } from '../resources/resource.js';
import { matchesRoute } from '../transport/accept-header.js';
import { mediaTypeOf, type ApiRequest } from '../transport/api-request.js';
import { MEDIA_TYPES, negotiate } from '../transport/negotiate.js';
import { wishOf } from '../transport/responder.js';

const CUSTOM_PATCHES = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
const PATCHES = [...CUSTOM_PATCHES, 'application/strategic-merge-patch+json'];
const STREAMS = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
/** What is told in a form of its own. */
const STREAMED = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/** Refuses, before all else, what comes in a form that is not read, and what is wanted in one that is not written. */
export function checkForms(resource: Resource, request: ApiRequest): void {
  const { verb, subresource } = request.info;
  if (STREAMED.has(subresource)) return;
  if (resource.isCustom) checkCustomPatch(request);
  else checkRoute(request);
  const isAnswered = verb === 'create' && (subresource !== '' || isReview(resource));
  const isScale = subresource === 'scale';
  negotiate(wishOf(request), { hasProtobuf: !resource.isCustom || isScale, hasTable: !isAnswered });
}

function checkCustomPatch({ info: { verb, subresource }, message }: ApiRequest): void {
  const known = customPatches(subresource);
  if (verb === 'patch' && !known.includes(mediaTypeOf(message.headers['content-type'] ?? '')))
    throw unsupportedMediaType(known);
}

/** What go-restful does, which looks for a route before any handler comes to it. */
function checkRoute({ info: { verb }, message }: ApiRequest): void {
  const { accept = '', 'content-type': contentType = '' } = message.headers;
  if (verb === 'patch' && !matchesRoute(contentType, PATCHES))
    throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  if (accept === '' || matchesRoute(accept, MEDIA_TYPES)) return;
  const known = verb === 'list' || verb === 'watch' ? [...MEDIA_TYPES, ...STREAMS] : MEDIA_TYPES;
  const refusal = `406: Not Acceptable\n\nAvailable representations: ${known.join(', ')}`;
  throw new StatusError(406, 'NotAcceptable', refusal, {});
}

/** A scale cannot be applied. */
function customPatches(subresource: string): readonly string[] {
  return subresource === 'scale' ? CUSTOM_PATCHES.slice(0, 2) : CUSTOM_PATCHES;
}
