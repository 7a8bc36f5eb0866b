import type { ApiObject } from '../objects/api-object.js';
import { RemoteCalls } from '../remote/remote-calls.js';
import type { Resource } from '../resources/resource.js';
import type { StoredObject } from '../storage/stored-object.js';

/**
 * Fails for an object that a webhook converts from the stored version, but not back. The real server converts the
 * object of its watch cache, which is in the version of the request, before it deletes or updates the stored one.
 *
 * @throws CallPending, and the error of the conversion
 */
export function assertStorable(
  { codec }: Resource,
  old: ApiObject,
  { revision }: StoredObject,
  calls: RemoteCalls | undefined,
): void {
  if (!codec.prepare || !calls) return; // no webhook converts it
  // The response for the new state must not be used for this one.
  const own = calls.once('present state', () => new RemoteCalls());
  own.startFrom(revision);
  codec.toStorage(old, own);
}
