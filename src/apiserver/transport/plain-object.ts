import { isJsonObject, type JsonObject } from '../object.js';
import { goPackage } from '../resources/go-package.js';
import { decodeProtobuf } from '../schema/protobuf.js';
import { isProtobuf, parseBody, readBody, type ApiRequest, type RequestBody } from './api-request.js';

/** Reads a body that is answered rather than stored: reviews, bindings, evictions. */
export async function readPlainObject({ message }: ApiRequest, kind: string): Promise<JsonObject> {
  return decodePlainObject(await readBody(message), kind);
}

/** A whole body as an object that need not be a resource's: a Scale, for one. */
function decodePlainObject(body: RequestBody, kind: string): JsonObject {
  if (isProtobuf(body)) return decodeProtobuf(body.bytes, (apiVersion, given) => `${goPackage(apiVersion)}.${given}`);
  const value = parseBody(body, kind);
  return isJsonObject(value) ? value : {};
}
