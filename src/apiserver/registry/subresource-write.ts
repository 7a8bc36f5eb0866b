import { PathSet } from '../apply/path-set.js';
import { without, type ApiObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';

const CUSTOM_STATUS_RESET = PathSet.fromFieldsV1({ 'f:metadata': {}, 'f:spec': {} });
const STATUS_RESET = PathSet.fromFieldsV1({ 'f:spec': {} });

/** Keeps what an endpoint may not change: status on the main one, all but status on the status one. */
export function prepareStatusWrite(resource: Resource, next: ApiObject, old: ApiObject, subresource: string): void {
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

/** What moves the generation. */
export function specOf(resource: Resource, object: ApiObject): unknown {
  if (resource.strategy.specOf) return resource.strategy.specOf(object);
  const rest = without(object, 'metadata', 'status', 'apiVersion', 'kind');
  return resource.isCustom && !resource.hasStatus ? { ...rest, status: object.status } : rest;
}

/** The paths an endpoint's writes never set. */
export function resetFieldsOf(resource: Resource, subresource: string, status: PathSet): PathSet | undefined {
  const own = resource.strategy.resetFields?.(subresource);
  if (own) return own;
  if (subresource === '') return resource.hasStatus ? status : undefined;
  if (subresource === 'finalize') return status;
  if (subresource !== 'status') return undefined;
  return resource.isCustom ? CUSTOM_STATUS_RESET : STATUS_RESET;
}
