import { ownMember } from '../../../../base/own-member.js';
import {
  invalidValue,
  notSupported,
  notSupportedText,
  required,
  type FieldError,
} from '../../../../api/protocol/field-error.js';
import { arrayAt, isJsonObject, numberAt, objectAt, stringAt, type JsonObject } from '../../../objects/api-object.js';
import {
  checkDnsLabel,
  validateOneOf,
  validateOptional,
  validateRange,
  validateRequired,
} from '../../fields/field-checks.js';
import { validateDriverName } from './driver-name-validation.js';
import { relativePathErrors } from './relative-path-validation.js';

/** Returns the errors of a volume source. */
export type SourceCheck = (source: JsonObject, field: string) => FieldError[];

/** Returns errors for required members that are missing or empty. */
export const named =
  (...names: readonly string[]): SourceCheck =>
  (source, field) =>
    names.flatMap((name) => validateRequired(`${field}.${name}`, stringAt(source, name)));

const listed =
  (name: string): SourceCheck =>
  (source, field) =>
    arrayAt(source, name).length === 0 ? [required(`${field}.${name}`)] : [];

/** Checks that a Secret reference, if present, has a name. */
const secretNamed: SourceCheck = ({ secretRef }, field) =>
  isJsonObject(secretRef) ? named('name')(secretRef, `${field}.secretRef`) : [];

const allOf =
  (...checks: readonly SourceCheck[]): SourceCheck =>
  (source, field) =>
    checks.flatMap((check) => check(source, field));

const partitioned: SourceCheck = (source, field) => {
  const partition = numberAt(source, 'partition') ?? 0;
  const detail = 'must be between 1 and 255, inclusive';
  return partition < 0 || partition > 255 ? [invalidValue(`${field}.partition`, partition, detail)] : [];
};

export const validateNfs: SourceCheck = (source, field) => {
  const path = stringAt(source, 'path');
  return [
    ...named('server', 'path')(source, field),
    ...(path.startsWith('/') ? [] : [invalidValue(`${field}.path`, path, 'must be an absolute path')]),
  ];
};

const INITIATORS: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

function initiatorErrors(field: string, name: string): FieldError[] {
  const form = ownMember(INITIATORS, name.slice(0, 3));
  if (!form) return [invalidValue(field, name, 'must be valid format starting with iqn, eui, or naa')];
  return form.test(name) ? [] : [invalidValue(field, name, 'must be valid format')];
}

const validateIscsi: SourceCheck = (source, field) => {
  const [iqn, { initiatorName }] = [stringAt(source, 'iqn'), source];
  const isSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  return [
    ...named('targetPortal')(source, field),
    ...validateRequired(`${field}.iqn`, iqn, initiatorErrors),
    ...validateRange(`${field}.lun`, numberAt(source, 'lun'), 0, 255),
    ...(isSecret && !isJsonObject(source.secretRef) ? [required(`${field}.secretRef`)] : []),
    ...(typeof initiatorName === 'string' ? initiatorErrors(`${field}.initiatorname`, initiatorName) : []),
  ];
};

const validateFibreChannel: SourceCheck = (source, field) => {
  const [targets, ids] = [arrayAt(source, 'targetWWNs'), arrayAt(source, 'wwids')];
  const path = `${field}.targetWWNs`;
  const isBare = targets.length > 0 && source.lun === undefined;
  return [
    ...(targets.length === 0 && ids.length === 0
      ? [required(path, 'must specify either targetWWNs or wwids, but not both')]
      : []),
    ...(targets.length > 0 && ids.length > 0
      ? [invalidValue(path, targets, 'targetWWNs and wwids can not be specified simultaneously')]
      : []),
    ...(isBare ? [required(`${field}.lun`, 'lun is required if targetWWNs is specified')] : []),
    ...(targets.length > 0 ? validateRange(`${field}.lun`, numberAt(source, 'lun'), 0, 255) : []),
  ];
};

const validateFlexVolume: SourceCheck = (source, field) => [
  ...named('driver')(source, field),
  ...Object.keys(objectAt(source, 'options'))
    .filter((key) => /\.(kubernetes|k8s)\.io$/.test(`.${key.replace(/\/.*$/s, '').toLowerCase()}`))
    .map((key) => invalidValue(`${field}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved')),
];

const validateFlocker: SourceCheck = (source, field) => {
  const [name, id] = [stringAt(source, 'datasetName'), stringAt(source, 'datasetUUID')];
  return [
    ...(name === '' && id === '' ? [required(field, 'one of datasetName and datasetUUID is required')] : []),
    ...(name !== '' && id !== ''
      ? [invalidValue(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
      : []),
    ...(name.includes('/') ? [invalidValue(`${field}.datasetName`, name, "must not contain '/'")] : []),
  ];
};

const validateQuobyte: SourceCheck = (source, field) => {
  const [registry, tenant] = [stringAt(source, 'registry'), stringAt(source, 'tenant')];
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  const ofRegistry = registry
    .split(',')
    .filter((pair) => !/^([^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair))
    .map(() => invalidValue(`${field}.registry`, registry, pairs));
  const ofTenant = [required(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters')];
  const first = registry === '' ? [required(`${field}.registry`, pairs)] : tenant.length >= 65 ? ofTenant : ofRegistry;
  return [...first, ...named('volume')(source, field)];
};

const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

const validateAzureDisk: SourceCheck = (source, field) => {
  const [uri, kind, { cachingMode }] = [stringAt(source, 'diskURI'), source.kind, source];
  const [start, form] = kind === 'Managed' ? ['/subscriptions/', MANAGED] : ['https://', BLOB];
  return [
    ...named('diskName', 'diskURI')(source, field),
    ...(cachingMode === undefined || ['None', 'ReadOnly', 'ReadWrite'].includes(cachingMode as string)
      ? []
      : [notSupported(`${field}.cachingMode`, cachingMode, ['None', 'ReadOnly', 'ReadWrite'])]),
    ...(kind === undefined || DISK_KINDS.includes(kind as string)
      ? []
      : [notSupported(`${field}.kind`, kind, DISK_KINDS)]),
    ...(kind === undefined || uri.startsWith(start) ? [] : [notSupportedText(`${field}.diskURI`, uri, [form])]),
  ];
};

const validateStorageOs: SourceCheck = (source, field) => [
  ...validateRequired(`${field}.volumeName`, stringAt(source, 'volumeName'), checkDnsLabel),
  ...validateOptional(`${field}.volumeNamespace`, stringAt(source, 'volumeNamespace'), checkDnsLabel),
  ...secretNamed(source, field),
];

const validateCsi: SourceCheck = (source, field) => {
  const reference = source.nodePublishSecretRef;
  return [
    ...validateDriverName(`${field}.driver`, stringAt(source, 'driver')),
    ...(isJsonObject(reference) ? named('name')(reference, `${field}.nodePublishSecretRef`) : []),
  ];
};

/** The third-party volume sources, with their checks. */
export const FOREIGN_SOURCES = {
  gitRepo: (source, field) => [
    ...named('repository')(source, field),
    ...relativePathErrors(stringAt(source, 'directory'), `${field}.directory`),
  ],
  gcePersistentDisk: allOf(named('pdName'), partitioned),
  awsElasticBlockStore: allOf(named('volumeID'), partitioned),
  nfs: validateNfs,
  iscsi: validateIscsi,
  glusterfs: named('endpoints', 'path'),
  flocker: validateFlocker,
  rbd: allOf(listed('monitors'), named('image')),
  cinder: allOf(named('volumeID'), secretNamed),
  cephfs: listed('monitors'),
  quobyte: validateQuobyte,
  fc: validateFibreChannel,
  flexVolume: validateFlexVolume,
  azureFile: named('secretName', 'shareName'),
  vsphereVolume: named('volumePath'),
  photonPersistentDisk: named('pdID'),
  portworxVolume: named('volumeID'),
  azureDisk: validateAzureDisk,
  storageos: validateStorageOs,
  scaleIO: named('gateway', 'system', 'volumeName'),
  csi: validateCsi,
  image: (source, field) =>
    validateOneOf(`${field}.pullPolicy`, source.pullPolicy, ['Always', 'IfNotPresent', 'Never']),
} as const satisfies Readonly<Record<string, SourceCheck>>;
