import { ownMember } from '../../base/own-member.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from '../objects/api-object.js';
import { accessModeErrors, amountOf, positiveErrors, VOLUME_MODES } from './claim-spec-validation.js';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  validateOneOf,
  validateOptional,
  validateRequired,
} from './fields/field-checks.js';
import { validateNodeSelector } from './pods/affinity-validation.js';
import { validateDriverName } from './pods/volumes/driver-name-validation.js';
import { backstepErrors } from './pods/volumes/relative-path-validation.js';
import { validateNfs } from './pods/volumes/volume-source-validation.js';
import { validateHostPath } from './pods/volumes/volume-validation.js';

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];
/** In the order in which Kubernetes validates them. */
const SOURCES = [
  ...['hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'flocker', 'nfs', 'rbd', 'quobyte'],
  ...['cephfs', 'iscsi', 'cinder', 'fc', 'flexVolume', 'azureFile', 'vsphereVolume', 'photonPersistentDisk'],
  ...['portworxVolume', 'azureDisk', 'scaleIO', 'local', 'storageos', 'csi'],
];

/** Returns the errors of a volume's spec: core's ValidatePersistentVolumeSpec. */
export function validateVolumeSpec(spec: JsonObject, field: string): FieldError[] {
  const capacity = objectAt(spec, 'capacity');
  const names = Object.keys(capacity);
  const isOdd = names.length !== 1 || names[0] !== 'storage';
  return [
    ...modesErrors(spec, field),
    ...(names.length === 0 ? [required(`${field}.capacity`)] : []),
    ...(isOdd ? [notSupported(`${field}.capacity`, spec.capacity ?? null, ['storage'])] : []),
    ...capacityErrors(capacity, `${field}.capacity`),
    ...names.flatMap((name) => positiveErrors(capacity[name], `${field}.capacity[${name}]`)),
    ...validateOneOf(`${field}.persistentVolumeReclaimPolicy`, spec.persistentVolumeReclaimPolicy, RECLAIM_POLICIES),
    ...affinityErrors(spec.nodeAffinity, `${field}.nodeAffinity`),
    ...sourceErrors(spec, field, isJsonObject(spec.nodeAffinity)),
    ...validateOptional(`${field}.storageClassName`, stringAt(spec, 'storageClassName'), checkDnsSubdomain),
    ...(spec.volumeMode === undefined ? [] : validateOneOf(`${field}.volumeMode`, spec.volumeMode, VOLUME_MODES)),
    ...attributesClassErrors(spec, field),
  ];
}

/** Returns the errors of an inline volume spec, which must be a CSI volume with few options. */
export function validateInlineVolumeSpec(spec: JsonObject, field: string): FieldError[] {
  const inline = 'in the context of inline volumes';
  const barred = (name: string, isThere: boolean): FieldError[] =>
    isThere ? [forbiddenField(`${field}.${name}`, `may not be specified ${inline}`)] : [];
  const { persistentVolumeReclaimPolicy: policy = 'Retain', volumeMode = 'Filesystem' } = spec;
  return [
    ...barred('claimRef', isJsonObject(spec.claimRef)),
    ...barred('capacity', Object.keys(objectAt(spec, 'capacity')).length > 0),
    ...(isJsonObject(spec.csi) ? [] : [required(`${field}.csi`, `has to be specified ${inline}`)]),
    ...modesErrors(spec, field),
    ...(policy === 'Retain' || policy === ''
      ? []
      : [forbiddenField(`${field}.persistentVolumeReclaimPolicy`, `may only be Retain ${inline}`)]),
    ...barred('nodeAffinity', isJsonObject(spec.nodeAffinity)),
    ...sourceErrors(spec, field, false),
    ...barred('storageClassName', stringAt(spec, 'storageClassName') !== ''),
    ...(volumeMode === 'Filesystem'
      ? []
      : [forbiddenField(`${field}.volumeMode`, `may not specify volumeMode other than Filesystem ${inline}`)]),
  ];
}

function modesErrors(spec: JsonObject, field: string): FieldError[] {
  const modes = arrayAt(spec, 'accessModes');
  return [
    ...(modes.length === 0 ? [required(`${field}.accessModes`)] : []),
    ...accessModeErrors(modes, `${field}.accessModes`),
  ];
}

/** Returns errors for negative amounts. */
export function capacityErrors(capacity: JsonObject, field: string): FieldError[] {
  return Object.entries(capacity).flatMap(([name, value]) =>
    amountOf(value) < 0n
      ? [
          invalidValue(
            `${field}[${name}]`,
            Number(amountOf(value) / 1_000_000_000n),
            'must be a valid resource quantity',
          ),
        ]
      : [],
  );
}

function affinityErrors(affinity: unknown, field: string): FieldError[] {
  if (!isJsonObject(affinity)) return [];
  return isJsonObject(affinity.required)
    ? validateNodeSelector(affinity.required, `${field}.required`)
    : [required(`${field}.required`, 'must specify required node constraints')];
}

function attributesClassErrors({ volumeAttributesClassName: name, csi }: JsonObject, field: string): FieldError[] {
  if (typeof name !== 'string') return [];
  const at = `${field}.volumeAttributesClassName`;
  return [
    ...(name === '' ? [required(at, 'an empty string is disallowed')] : checkDnsSubdomain(at, name)),
    ...(isJsonObject(csi)
      ? []
      : [required(`${field}.csi`, 'has to be specified when using volumeAttributesClassName')]),
  ];
}

const SECRETS = ['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeExpand'].map((use) => `${use}SecretRef`);

function secretErrors(reference: unknown, field: string): FieldError[] {
  if (!isJsonObject(reference)) return [];
  return [
    ...validateRequired(`${field}.name`, stringAt(reference, 'name'), checkDnsSubdomain),
    ...validateRequired(`${field}.namespace`, stringAt(reference, 'namespace'), checkDnsLabel),
  ];
}

const SOURCE_CHECKS: Readonly<Record<string, (source: JsonObject, field: string) => FieldError[]>> = {
  hostPath: validateHostPath,
  csi: (source, field) => [
    ...validateDriverName(`${field}.driver`, stringAt(source, 'driver')),
    ...validateRequired(`${field}.volumeHandle`, stringAt(source, 'volumeHandle')),
    ...SECRETS.flatMap((name) => secretErrors(source[name], `${field}.${name}`)),
  ],
  local: (source, field) =>
    validateRequired(`${field}.path`, stringAt(source, 'path'), (at, path) => backstepErrors(path, at)),
  nfs: validateNfs,
};

function sourceErrors(spec: JsonObject, field: string, isPlaced: boolean): FieldError[] {
  const [first, ...more] = volumeSources(spec);
  if (first === undefined) return [required(field, 'must specify a volume type')];
  const path = stringAt(spec.hostPath, 'path');
  const isRoot = first === 'hostPath' && /^\/+$/.test(path) && spec.persistentVolumeReclaimPolicy === 'Recycle';
  return [
    ...(ownMember(SOURCE_CHECKS, first)?.(objectAt(spec, first), `${field}.${first}`) ?? []),
    ...(first === 'local' && !isPlaced
      ? [required(`${field}.nodeAffinity`, 'Local volume requires node affinity')]
      : []),
    ...more.map((name) => forbiddenField(`${field}.${name}`, 'may not specify more than 1 volume type')),
    ...(isRoot
      ? [forbiddenField(`${field}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
  ];
}

/** Returns the sources of a volume; exactly one is valid. */
export function volumeSources(spec: JsonObject): string[] {
  return SOURCES.filter((name) => isJsonObject(spec[name]));
}
