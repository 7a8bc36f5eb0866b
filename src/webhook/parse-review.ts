import type { AdmissionRequest } from '../api/protocol/admission-review.js';
import type { KindRef } from '../api/kinds/kind-ref.js';
import { isJsonObject, stringAt, type JsonObject } from '../base/json-object.js';
import { parseBody } from './parse-body.js';
import { RequestError } from '../base/http-server/request-error.js';

/**
 * Parses the AdmissionReview of a request. Integers stay exact: those that a double cannot represent are bigints.
 *
 * @param isConvertible whether objects in other versions of the kind can be reviewed
 * @throws RequestError for anything else.
 */
export function parseReview(body: Buffer, kind: KindRef, isConvertible: boolean): AdmissionRequest {
  const review = parseBody(body);
  if (stringAt(review, 'apiVersion') !== 'admission.k8s.io/v1' || stringAt(review, 'kind') !== 'AdmissionReview')
    throw new RequestError(400, 'the body must be an AdmissionReview of admission.k8s.io/v1');
  const request = isJsonObject(review) ? review['request'] : undefined;
  if (!isJsonObject(request) || stringAt(request, 'uid') === '')
    throw new RequestError(400, 'the AdmissionReview has no request with a uid');
  assertResource(request, kind, isConvertible);
  assertObjects(request);
  return request as unknown as AdmissionRequest;
}

/** A webhook configuration of another kind with this path is a mistake that would otherwise cause odd errors. */
function assertResource(request: JsonObject, { group, version, plural }: KindRef, isConvertible: boolean): void {
  const resource = request['resource'];
  if (stringAt(resource, 'group') === group && stringAt(resource, 'resource') === plural) {
    if (isConvertible || stringAt(resource, 'version') === version) return;
  }
  throw new RequestError(400, `this webhook reviews ${plural} of ${group}/${version} only`);
}

function assertObjects(request: JsonObject): void {
  const operation = stringAt(request, 'operation');
  const needed = NEEDED.get(operation);
  if (!needed) throw new RequestError(400, 'the operation must be CREATE, UPDATE or DELETE');
  for (const name of needed) {
    const object = request[name];
    if (!isJsonObject(object) || !isJsonObject(object['metadata']))
      throw new RequestError(400, `${name} of operation ${operation} must be an object with metadata`);
  }
}

const NEEDED: ReadonlyMap<string, readonly string[]> = new Map([
  ['CREATE', ['object']],
  ['UPDATE', ['object', 'oldObject']],
  ['DELETE', ['oldObject']],
]);
