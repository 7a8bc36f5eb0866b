import { deepEqual } from '../../base/deep-equal.js';
import { FieldManager } from '../apply/field-manager.js';
import { PathSet } from '../apply/path-set.js';
import { without, type ApiObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import { TooLargeError } from '../storage/request-limit.js';
import type { UpdateOptions } from './update-options.js';

const STATUS = PathSet.fromFieldsV1({ 'f:status': {} });
const CUSTOM_STATUS_RESET = PathSet.fromFieldsV1({ 'f:metadata': {}, 'f:spec': {} });
const STATUS_RESET = PathSet.fromFieldsV1({ 'f:spec': {} });

/**
 * The field manager for requests of one endpoint of a resource.
 *
 * @param now as metav1.Time
 */
export function resourceFieldManager(
  resource: Resource,
  { subresource = '', calls }: Pick<UpdateOptions, 'subresource' | 'calls'>,
  now: string,
): FieldManager {
  const { codec, apiVersion, isCustom } = resource;
  const reset = resetFieldsOf(resource, subresource);
  return new FieldManager({
    type: codec.mergeType,
    apiVersion,
    subresource,
    reset,
    // The main endpoint of a custom resource resets fields of the request's version only.
    resetElsewhere: isCustom && subresource === '' ? undefined : reset,
    versions: codec.fieldVersions(calls),
    now,
    isChecked: !isCustom,
    encode: (object) => codec.encode(object),
    empty: codec.empty(),
  });
}

/** The paths that writes of an endpoint never own. */
function resetFieldsOf(resource: Resource, subresource: string): PathSet | undefined {
  const own = resource.strategy.resetFields?.(subresource);
  if (own) return own;
  if (subresource === '') return resource.hasStatus ? STATUS : undefined;
  if (subresource === 'finalize') return STATUS;
  if (subresource !== 'status') return undefined;
  return resource.isCustom ? CUSTOM_STATUS_RESET : STATUS_RESET;
}

/** Returns the object with the old managedFields if they differ only in their times. */
export function keepManagedTimes(next: ApiObject, old: ApiObject): ApiObject {
  const [entries, former] = [next.metadata.managedFields ?? [], old.metadata.managedFields ?? []];
  const same =
    entries.length === former.length &&
    entries.every((entry, index) => deepEqual({ ...entry, time: '' }, { ...former[index], time: '' }));
  return same && former.length > 0 ? { ...next, metadata: { ...next.metadata, managedFields: former } } : next;
}

/** Stores an object; retries without managedFields if it is too large: isTooLargeError of rest.go. */
export function putWithinLimit<T>(object: ApiObject, put: (object: ApiObject) => T): T {
  try {
    return put(object);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return put({ ...object, metadata: without(object.metadata, 'managedFields') });
  }
}
