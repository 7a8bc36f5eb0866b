import { parseJson } from '../base/json.js';
import { thrownError } from '../base/thrown-error.js';
import { RequestError, requestProblem } from './request-error.js';

/**
 * Parses a body, or a part of one. Integers stay exact: those that a double cannot represent are bigints.
 *
 * @throws RequestError for invalid JSON.
 */
export function parseBody(body: Buffer | string): unknown {
  try {
    return parseJson(typeof body === 'string' ? body : body.toString('utf8'));
  } catch (thrown) {
    const error = requestProblem(thrownError(thrown));
    throw error instanceof RequestError ? error : new RequestError(400, 'the body is not valid JSON');
  }
}
