import { deepEqual } from '../../base/deep-equal.js';
import type { ApiObject } from '../objects/api-object.js';

/** The object with the old managedFields where they differ in nothing but their times. */
export function withoutTimes(next: ApiObject, old: ApiObject): ApiObject {
  const [entries, former] = [next.metadata.managedFields ?? [], old.metadata.managedFields ?? []];
  const same =
    entries.length === former.length &&
    entries.every((entry, index) => deepEqual({ ...entry, time: '' }, { ...former[index], time: '' }));
  return same && former.length > 0 ? { ...next, metadata: { ...next.metadata, managedFields: former } } : next;
}
