import { ownMember } from '../../base/own-member.js';
import { goQuoted } from '../../base/go-quoted.js';
import { keyOf } from '../../api/objects/object-key.js';
import { pathSegmentErrors } from '../../api/objects/names.js';
import { badRequest, conflict, invalid, modified, StatusError } from '../errors/status-error.js';
import type { ApiObject, Metadata } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import { failedPrecondition } from './preconditions.js';

/** @throws StatusError for an update of another object or of another resource version */
export function assertIdentity(
  resource: Resource,
  wanted: ApiObject,
  old: ApiObject,
  { isReplacement = false, dryRun = false }: { readonly isReplacement?: boolean; readonly dryRun?: boolean },
): void {
  const { uid, resourceVersion } = wanted.metadata;
  const { name } = old.metadata;
  if (isReplacement) assertUid(resource, old.metadata, uid, dryRun);
  assertVersion(wanted);
  if (resourceVersion && resourceVersion !== '0') {
    if (resourceVersion !== old.metadata.resourceVersion) throw modified(resource, name);
  } else if (resource.strategy.allowsUnconditionalUpdate === false) throw versionRequired(resource, name);
}

/** @throws StatusError for a resourceVersion that is not a number */
export function assertVersion({ metadata: { resourceVersion } }: ApiObject): void {
  if (!resourceVersion) return;
  if (!/^\d+$/.test(resourceVersion)) throw unreadableVersion(resourceVersion, 'invalid syntax');
  if (BigInt.asUintN(64, BigInt(resourceVersion)) !== BigInt(resourceVersion))
    throw unreadableVersion(resourceVersion, 'value out of range');
}

/** Reports whether an object has a resourceVersion other than 0; one that is not a number does not count. */
export function hasVersion({ metadata }: ApiObject): boolean {
  const { resourceVersion = '' } = metadata;
  return /^0*[1-9]\d*$/.test(resourceVersion) && BigInt(resourceVersion) < 2n ** 64n;
}

/** Groups served outside kube-apiserver. Their storage keys start with the group, as those of custom resources. */
const GROUPS = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];
/** Key prefixes that differ from the resource: SpecialDefaultResourcePrefixes. */
const FOLDERS: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  'ingresses.networking.k8s.io': 'ingress',
};

/** @throws StatusError when a replacement has the uid of another object */
export function assertUid(
  resource: Resource,
  metadata: Metadata,
  uid: string | undefined,
  isDryRun: boolean | undefined,
): void {
  const { isCustom, group, plural, storage } = resource;
  const folder = isCustom || GROUPS.includes(group) ? `${group}/${plural}` : (ownMember(FOLDERS, storage) ?? plural);
  // A dry run fails before the etcd prefix is prepended.
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

/** @throws StatusError for a name that cannot be part of a storage key: NoNamespaceKeyFunc of registry/generic */
export function assertPathSegment(name: string): void {
  const errors = pathSegmentErrors(name);
  if (errors.length > 0) throw badRequest(`Name parameter invalid: ${goQuoted(name)}: ${errors.join(';')}`);
}
