import type { ApiObject } from '../objects/api-object.js';
import { readBody, type ApiRequest } from '../transport/api-request.js';
import { decodeBody, type Decodable } from './decode-body.js';
import { writeQuery, type WriteQuery } from './query-options.js';

/** Reads what is answered rather than stored: a review, a binding, an eviction, a request for a token. */
export async function readAnswered(
  kind: Decodable,
  request: ApiRequest,
): Promise<{ readonly given: ApiObject; readonly query: WriteQuery }> {
  const body = await readBody(request.message);
  const query = writeQuery(request, 'CreateOptions');
  return { given: decodeBody(kind, body, query.fieldValidation, request.warnings), query };
}
