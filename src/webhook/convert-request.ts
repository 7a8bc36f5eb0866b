import type { AdmissionRequest } from '../api/protocol/admission-review.js';
import { apiVersionOf, type KindRef } from '../api/kinds/kind-ref.js';
import { isJsonObject, type JsonObject } from '../base/json-object.js';
import type { Converter } from './converted-objects.js';

/** The version of the kind in which the API server sent an object. */
export interface SentVersion {
  readonly object: JsonObject;
  /** Returns an object of the class's version in the sent version. */
  convert(object: JsonObject): JsonObject;
}

/** A request in the version of the class. */
interface ConvertedRequest {
  readonly request: AdmissionRequest;
  /** Undefined if the API server sent the version of the class. */
  readonly toSent: SentVersion | undefined;
}

/**
 * Converts the objects of a request to the version of the class.
 *
 * The API server sends the version that the configuration names. During the rolling update in which the webhooks move to
 * another version of the kind, it is that of the last release.
 */
export function convertRequest(
  kind: KindRef,
  request: AdmissionRequest,
  conversion: Converter | undefined,
): ConvertedRequest {
  const { group, version } = request.resource;
  const isOther = version !== kind.version && request.subResource !== 'scale'; // a Scale has no versions of the kind
  if (!conversion || !isOther) return { request, toSent: undefined };
  const convert = (object: unknown): unknown =>
    isJsonObject(object) ? conversion.convert(object, apiVersionOf(kind)) : object;
  const { object } = request;
  const toSent = isJsonObject(object) && {
    object,
    convert: (changed: JsonObject) => conversion.convert(changed, apiVersionOf({ group, version })),
  };
  return {
    request: { ...request, object: convert(object), oldObject: convert(request.oldObject) },
    toSent: toSent || undefined,
  };
}
