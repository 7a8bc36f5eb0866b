import type { ApiObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { whenAnswered, type RemoteCalls } from '../../remote/remote-calls.js';

/** Converts an object between versions of a resource; may call a conversion webhook. */
export function inVersion(object: ApiObject, from: Resource, to: Resource): Promise<ApiObject> | ApiObject {
  const encoded = from.codec.encode(object);
  if (from === to) return encoded;
  return whenAnswered((calls: RemoteCalls) => to.codec.fromStorage(from.codec.toStorage(encoded, calls), calls));
}
