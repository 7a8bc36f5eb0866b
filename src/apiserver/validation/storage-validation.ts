import { forbiddenField, required, type FieldError } from '../../api/protocol/field-error.js';
import { isJsonObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { amountOf, validateClaimSpec } from './claim-spec-validation.js';
import { validateImmutable, validateOneOf, checkQualifiedName } from './fields/field-checks.js';
import { internalDiff, internalEqual } from './fields/internal-form.js';
import { semanticEqual } from './fields/semantic-equal.js';
import { capacityErrors, validateVolumeSpec, volumeSources } from './volume-spec-validation.js';

const CLAIM_SPEC = 'core.PersistentVolumeClaimSpec';
const FROZEN =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';

/** Returns the errors of a PersistentVolumeClaim. */
export function validateClaim(object: ApiObject): FieldError[] {
  return validateClaimSpec(objectAt(object, 'spec'), 'spec');
}

/** Returns the errors of an update of a PersistentVolumeClaim: it can be bound once and expanded. */
export function validateClaimUpdate(next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  if (subresource === 'status') return capacityErrors(objectAt(next.status, 'capacity'), 'status.capacity');
  const [spec, former] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  const kept = { ...former, ...(stringAt(former, 'volumeName') === '' && { volumeName: spec.volumeName }) };
  const wanted = withChangeable(spec, former, stringAt(next.status, 'phase') === 'Bound');
  const [size, before] = [storageOf(spec), storageOf(former)];
  return [
    ...validateClaim(next),
    ...(isSameClaim(wanted, kept)
      ? []
      : [forbiddenField('spec', `${FROZEN}${internalDiff(CLAIM_SPEC, kept, wanted)}`)]),
    ...(size < before && size <= amountOf(objectAt(objectAt(old, 'status'), 'capacity').storage)
      ? [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')]
      : []),
    ...validateImmutable('volumeMode', spec.volumeMode, former.volumeMode),
  ];
}

/** An empty selector differs from a missing one. */
function isSameClaim(spec: JsonObject, former: JsonObject): boolean {
  const isSelecting = isJsonObject(spec.selector) === isJsonObject(former.selector);
  return isSelecting && internalEqual(CLAIM_SPEC, spec, former);
}

/**
 * Returns the spec of a claim with the mutable fields of another: an unset storage class and, for bound claims, size
 * and attributes class.
 */
function withChangeable(spec: JsonObject, former: JsonObject, isBound: boolean): JsonObject {
  const wanted: JsonObject = { ...spec };
  if (former.storageClassName === undefined) wanted.storageClassName = undefined;
  if (!isBound) return wanted;
  const resources = objectAt(spec, 'resources');
  if (isJsonObject(resources.requests)) {
    const { storage } = objectAt(objectAt(former, 'resources'), 'requests');
    wanted.resources = { ...resources, requests: { ...resources.requests, storage } };
  }
  return { ...wanted, volumeAttributesClassName: former.volumeAttributesClassName };
}

function storageOf(spec: JsonObject): bigint {
  return amountOf(objectAt(objectAt(spec, 'resources'), 'requests').storage);
}

/** Volume types that support mount options: pkg/volume/validation. */
const MOUNTED = [
  ...['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'cinder', 'cephfs'],
  ...['azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'],
];
const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';

/** Returns the errors of a new PersistentVolume. */
export function validateNewVolume(object: ApiObject): FieldError[] {
  return [...validateVolume(object), ...mountErrors(object)];
}

function mountErrors(object: ApiObject): FieldError[] {
  const isMounted = volumeSources(objectAt(object, 'spec')).some((name) => MOUNTED.includes(name));
  if (isMounted || object.metadata.annotations?.[MOUNT_OPTIONS] === undefined) return [];
  return [
    forbiddenField(`metadata.annotations.${MOUNT_OPTIONS}`, 'may not specify mount options for this volume type'),
  ];
}

/** Returns the errors of a PersistentVolume. */
export function validateVolume(object: ApiObject): FieldError[] {
  return validateVolumeSpec(objectAt(object, 'spec'), 'spec');
}

const SOURCE = 'core.PersistentVolumeSource';

/** Returns the errors of an update of a PersistentVolume: its source is immutable. */
export function validateVolumeChange(next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  if (subresource === 'status') return [];
  const [spec, former] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  const source = (of: JsonObject): JsonObject => Object.fromEntries(volumeSources(of).map((name) => [name, of[name]]));
  const isKept = semanticEqual(source(spec), source(former));
  const field = 'spec.persistentvolumesource';
  return [
    ...(isKept
      ? []
      : [forbiddenField(field, `${field} is immutable after creation\n${internalDiff(SOURCE, former, spec)}`)]),
    ...validateImmutable('volumeMode', spec.volumeMode, former.volumeMode),
  ];
}

/**
 * Returns the errors of an update of a StorageClass: its parameters, provisioner, reclaim policy and binding mode are
 * immutable.
 */
export function validateStorageClassChange(next: ApiObject, old: ApiObject): FieldError[] {
  const frozen = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'];
  return frozen.flatMap((name) => validateImmutable(name, next[name], old[name]));
}

/** Returns the errors of a StorageClass. */
export function validateStorageClass(object: ApiObject): FieldError[] {
  const { reclaimPolicy, volumeBindingMode } = object;
  const provisioner = stringAt(object, 'provisioner');
  return [
    ...(provisioner === '' ? [required('provisioner')] : checkQualifiedName('provisioner', provisioner.toLowerCase())),
    ...(reclaimPolicy === undefined || reclaimPolicy === ''
      ? []
      : validateOneOf('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain'])),
    ...validateOneOf('volumeBindingMode', volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
  ];
}

const HIGHEST_PRIORITY = 1000000000;
const SYSTEM_PREFIX = 'system-';

/** Returns the errors of a PriorityClass. */
export function validatePriorityClass(object: ApiObject): FieldError[] {
  const value = Number(object.value ?? 0);
  const isTooHigh = value > HIGHEST_PRIORITY && !stringAt(object.metadata, 'name').startsWith(SYSTEM_PREFIX);
  const detail = `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`;
  return [
    ...(isTooHigh ? [forbiddenField('value', detail)] : []),
    ...(object.preemptionPolicy === undefined
      ? []
      : validateOneOf('preemptionPolicy', object.preemptionPolicy, ['PreemptLowerPriority', 'Never'])),
  ];
}

/** Returns the errors of an update of a PriorityClass: its value is immutable. */
export function validatePriorityClassUpdate(next: ApiObject, old: ApiObject): FieldError[] {
  const isKept = (next.value ?? 0) === (old.value ?? 0);
  return [
    ...(isKept ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
    ...validateImmutable('preemptionPolicy', next.preemptionPolicy, old.preemptionPolicy),
  ];
}
