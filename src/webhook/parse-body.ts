import type { IncomingMessage } from 'node:http';
import { parseJson } from '../base/json.js';
import { isTooDeep } from '../base/nesting-depth.js';
import { thrownError } from '../base/thrown-error.js';
import { RequestError, asRequestError } from '../base/http-server/request-error.js';

/** Twice the largest object that etcd stores, and what a review adds: the limit of controller-runtime. */
export const MAX_REVIEW_BYTES = 7 * 1024 * 1024;

/** @throws RequestError for another method or content type. */
export function assertPostedJson({ method, headers }: IncomingMessage): void {
  if (method !== 'POST') throw new RequestError(405, 'only POST is supported');
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new RequestError(415, 'the content type must be application/json');
}

/**
 * Parses a body, or a part of one. Integers stay exact: those that a double cannot represent are bigints.
 *
 * @throws RequestError for invalid JSON, and before parsing for JSON that is nested more deeply than API servers accept.
 */
export function parseBody(body: Buffer | string): unknown {
  const text = typeof body === 'string' ? body : body.toString('utf8');
  if (isTooDeep(text)) throw new RequestError(400, 'the object is nested too deeply');
  try {
    return parseJson(text);
  } catch (thrown) {
    const error = asRequestError(thrownError(thrown));
    throw error instanceof RequestError ? error : new RequestError(400, 'the body is not valid JSON');
  }
}
