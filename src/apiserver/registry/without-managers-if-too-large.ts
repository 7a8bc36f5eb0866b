import { without, type ApiObject } from '../objects/api-object.js';
import { TooLargeError } from '../storage/request-limit.js';

/** Stores an object, and if it is too large, without who owns its fields: rest.go's isTooLargeError. */
export function withoutManagersIfTooLarge<T>(object: ApiObject, put: (object: ApiObject) => T): T {
  try {
    return put(object);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return put({ ...object, metadata: without(object.metadata, 'managedFields') });
  }
}
