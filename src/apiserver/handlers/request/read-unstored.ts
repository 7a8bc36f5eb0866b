import type { ApiObject } from '../../objects/api-object.js';
import { readBody, type ApiRequest } from '../../transport/request/api-request.js';
import { decodeBody, type Decodable } from './decode-body.js';
import { writeQuery, type WriteQuery } from './query-options.js';

/** Decodes a request body that is not stored: a review, binding, eviction or token request. */
export async function readUnstored(
  kind: Decodable,
  request: ApiRequest,
): Promise<{ readonly given: ApiObject; readonly query: WriteQuery }> {
  const body = await readBody(request.message);
  const query = writeQuery(request, 'CreateOptions');
  return { given: decodeBody(kind, body, query.fieldValidation, request.warnings), query };
}
