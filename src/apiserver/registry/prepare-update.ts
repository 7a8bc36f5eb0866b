import { deepEqual } from '../../base/deep-equal.js';
import { without, type ApiObject, type Metadata } from '../objects/api-object.js';
import type { PrepareContext, Resource } from '../resources/resource.js';

/** Restores the fields that the endpoint cannot change: status for the main endpoint, everything else for /status. */
function prepareStatusWrite(resource: Resource, next: ApiObject, old: ApiObject, subresource: string): void {
  if (subresource === '') copyField(next, old, 'status');
  if (subresource !== 'status') return;
  if (!resource.isCustom) {
    copyField(next, old, 'spec');
    return;
  }
  const { status } = next;
  const { managedFields } = next.metadata;
  for (const key of Object.keys(next)) Reflect.deleteProperty(next, key);
  Object.assign(next, old, { metadata: { ...old.metadata } });
  if (managedFields === undefined) delete next.metadata.managedFields;
  else next.metadata.managedFields = managedFields;
  if (status === undefined) delete next.status;
  else next.status = status;
}

function copyField(next: ApiObject, old: ApiObject, field: string): void {
  if (old[field] === undefined) Reflect.deleteProperty(next, field);
  else next[field] = old[field];
}

/** Returns the part of an object that increments the generation when it changes. */
function specOf(resource: Resource, object: ApiObject): unknown {
  if (resource.strategy.specOf) return resource.strategy.specOf(object);
  const rest = without(object, 'metadata', 'status', 'apiVersion', 'kind');
  return resource.isCustom && !resource.hasStatus ? { ...rest, status: object.status } : rest;
}

/** Restores the fields that an update cannot change, in place, and increments the generation when the spec changed. */
export function prepareUpdate(
  resource: Resource,
  next: ApiObject,
  old: ApiObject,
  subresource: string,
  context: PrepareContext,
): void {
  keepServerFields(next.metadata, old.metadata);
  if (resource.hasStatus || subresource !== '') prepareStatusWrite(resource, next, old, subresource);
  resource.strategy.prepareForUpdate?.(next, old, subresource, context);
  if (subresource === 'status' || resource.strategy.hasGeneration !== true) return;
  const { codec, strategy } = resource;
  const compared = strategy.distinguishesEmptyFromAbsent === true ? next : codec.settle(next);
  if (deepEqual(specOf(resource, compared), specOf(resource, old))) return;
  next.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

const SERVER_FIELDS = ['uid', 'creationTimestamp', 'resourceVersion', 'generation'] as const;

function keepServerFields(metadata: Metadata, former: Metadata): void {
  const { uid } = metadata;
  for (const field of SERVER_FIELDS) {
    if (former[field] === undefined) Reflect.deleteProperty(metadata, field);
    else Object.assign(metadata, { [field]: former[field] });
  }
  if (former.deletionTimestamp !== undefined) metadata.deletionTimestamp = former.deletionTimestamp;
  // Validation rejects a changed grace period.
  if (former.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= former.deletionGracePeriodSeconds;
  // Validation rejects a changed uid.
  if (uid) metadata.uid = uid;
}
