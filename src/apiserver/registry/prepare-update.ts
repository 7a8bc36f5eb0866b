import { goQuoted } from '../../base/go-quoted.js';
import { deepEqual } from '../../base/deep-equal.js';
import { keyOf } from '../../api/object-key.js';
import { conflict, invalid, modified, StatusError } from '../errors/status-error.js';
import type { ApiObject, Metadata } from '../objects/api-object.js';
import type { PrepareContext, Resource } from '../resources/resource.js';
import { failedPrecondition } from './storage-precondition.js';
import { prepareStatusWrite, specOf } from './subresource-write.js';

/** Refuses an update meant for another object or for another state of it. */
export function checkIdentity(
  resource: Resource,
  wanted: ApiObject,
  old: ApiObject,
  { isReplacement = false, dryRun = false }: { readonly isReplacement?: boolean; readonly dryRun?: boolean },
): void {
  const { uid, resourceVersion } = wanted.metadata;
  const { name } = old.metadata;
  if (isReplacement) checkUid(resource, old.metadata, uid, dryRun);
  checkVersion(wanted);
  if (resourceVersion && resourceVersion !== '0') {
    if (resourceVersion !== old.metadata.resourceVersion) throw modified(resource, name);
  } else if (resource.strategy.allowsUnconditionalUpdate === false) throw versionRequired(resource, name);
}

/** Refuses a resourceVersion that is no number. */
export function checkVersion({ metadata: { resourceVersion } }: ApiObject): void {
  if (!resourceVersion) return;
  if (!/^\d+$/.test(resourceVersion)) throw unreadableVersion(resourceVersion, 'invalid syntax');
  if (BigInt.asUintN(64, BigInt(resourceVersion)) !== BigInt(resourceVersion))
    throw unreadableVersion(resourceVersion, 'value out of range');
}

/** What is no number counts as none. */
export function hasVersion({ metadata }: ApiObject): boolean {
  const { resourceVersion = '' } = metadata;
  return /^0*[1-9]\d*$/.test(resourceVersion) && BigInt(resourceVersion) < 2n ** 64n;
}

/** The groups of the other servers in the same process, which put them before the resource, as for custom ones. */
const GROUPS = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];
/** Etcd's folders of what was first stored under another name: SpecialDefaultResourcePrefixes. */
const FOLDERS: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  'ingresses.networking.k8s.io': 'ingress',
};

/** Refuses a replacement of an object by its uid that is not there. */
export function checkUid(
  resource: Resource,
  metadata: Metadata,
  uid: string | undefined,
  isDryRun: boolean | undefined,
): void {
  const { isCustom, group, plural, storage } = resource;
  const folder = isCustom || GROUPS.includes(group) ? `${group}/${plural}` : (FOLDERS[storage] ?? plural);
  // A dry run does not come to where etcd's prefix is put before the key.
  const key = `${isDryRun === true ? '' : '/registry'}/${folder}/${keyOf(metadata.name, metadata.namespace)}`;
  const why = failedPrecondition(key, { uid }, metadata);
  if (why !== undefined) throw conflict(resource, metadata.name, why);
}

function unreadableVersion(text: string, why: string): StatusError {
  const quoted = goQuoted(text);
  return new StatusError(500, '', `strconv.ParseUint: parsing ${quoted}: ${why}`);
}

function versionRequired({ group, plural }: Resource, name: string): StatusError {
  const body = 'Invalid value: 0: must be specified for an update';
  return invalid({ group, kind: plural }, name, [
    { type: 'FieldValueInvalid', field: 'metadata.resourceVersion', body },
  ]);
}

/** Takes over what an update cannot change, in place, and moves the generation when the spec changed. */
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
  const compared = strategy.tellsEmptyFromNone === true ? next : codec.settle(next);
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
  // A grace of its own is for validation to refuse.
  if (former.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= former.deletionGracePeriodSeconds;
  // A uid of another object is for validation to refuse.
  if (uid) metadata.uid = uid;
}
