import type { JsonObject } from '../object.js';
import { readBody, type ApiRequest } from './api-request.js';
import { recognized } from './body-value.js';

/** Reads a body that is answered rather than stored: reviews, bindings, evictions. */
export async function readPlainObject({ message }: ApiRequest, kind: string): Promise<JsonObject> {
  return recognized(await readBody(message), kind);
}
