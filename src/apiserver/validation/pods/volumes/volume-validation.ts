import { ownMember } from '../../../../base/own-member.js';
import { goQuoted } from '../../../../base/go-quoted.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../../../../api/protocol/field-error.js';
import { parseQuantity } from '../../../../api/schema/quantity.js';
import {
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  textOf,
  type JsonObject,
} from '../../../objects/api-object.js';
import { validateClaimSpec } from '../../claim-spec-validation.js';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  validateOneOf,
  validateRequired,
  uniqueness,
} from '../../fields/field-checks.js';
import { templateMetadataErrors } from '../../fields/template-metadata-validation.js';
import { validateDownwardFile } from './downward-api-validation.js';
import { validateFileMode } from './file-mode-validation.js';
import { validateKeyFile, validateProjected } from './projected-volume-validation.js';
import { backstepErrors } from './relative-path-validation.js';
import { FOREIGN_SOURCES as FOREIGN, named, type SourceCheck } from './volume-source-validation.js';

const HOST_PATHS = ['BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];
const MAX_ISCSI = 64;

const keyed =
  (name: string): SourceCheck =>
  (source, field) => [
    ...named(name)(source, field),
    ...modeErrors(source, field),
    ...eachObject(source.items).flatMap((item, index) => validateKeyFile(item, `${field}.items[${index}]`)),
  ];

/** The volume sources in the order in which they are validated, with their checks. */
const SOURCES: Readonly<Record<string, SourceCheck>> = {
  emptyDir: ({ sizeLimit }, field) =>
    (parseQuantity(textOf(sizeLimit ?? '0'))?.nano ?? 0n) < 0n
      ? [forbiddenField(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : [],
  hostPath: validateHostPath,
  gitRepo: FOREIGN.gitRepo,
  gcePersistentDisk: FOREIGN.gcePersistentDisk,
  awsElasticBlockStore: FOREIGN.awsElasticBlockStore,
  secret: keyed('secretName'),
  nfs: FOREIGN.nfs,
  iscsi: FOREIGN.iscsi,
  glusterfs: FOREIGN.glusterfs,
  flocker: FOREIGN.flocker,
  persistentVolumeClaim: named('claimName'),
  rbd: FOREIGN.rbd,
  cinder: FOREIGN.cinder,
  cephfs: FOREIGN.cephfs,
  quobyte: FOREIGN.quobyte,
  downwardAPI: (source, field) => [
    ...modeErrors(source, field),
    ...eachObject(source.items).flatMap((file) => validateDownwardFile(file, field)),
  ],
  fc: FOREIGN.fc,
  flexVolume: FOREIGN.flexVolume,
  configMap: keyed('name'),
  azureFile: FOREIGN.azureFile,
  vsphereVolume: FOREIGN.vsphereVolume,
  photonPersistentDisk: FOREIGN.photonPersistentDisk,
  portworxVolume: FOREIGN.portworxVolume,
  azureDisk: FOREIGN.azureDisk,
  storageos: FOREIGN.storageos,
  projected: validateProjected,
  scaleIO: FOREIGN.scaleIO,
  csi: FOREIGN.csi,
  ephemeral: validateEphemeral,
  image: FOREIGN.image,
};

/** Fields with a different name in errors. */
const SHOWN: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
const SHOWN_SECOND: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/** The pod or template that the volumes belong to. */
export interface VolumeOwner {
  /** The pod's name; empty in a template. */
  readonly name: string;
  /** True for a pod, false for a template. */
  readonly isPod: boolean;
}

/** Returns the errors of the volumes of a pod's spec, and the valid volumes by name. */
export function validateVolumes(
  volumes: unknown,
  field: string,
  owner: VolumeOwner,
): { errors: FieldError[]; sound: Map<string, JsonObject> } {
  const [errors, sound] = [[] as FieldError[], new Map<string, JsonObject>()];
  const all = eachObject(volumes);
  const made = new Set(
    all.filter(({ ephemeral }) => isJsonObject(ephemeral)).map((one) => `${owner.name}-${stringAt(one, 'name')}`),
  );
  all.forEach((volume, index) => {
    const [path, name] = [`${field}[${index}]`, stringAt(volume, 'name')];
    const unique = uniqueness([...sound.keys()]);
    const own = [
      ...sourceErrors(volume, path, owner),
      ...validateRequired(`${path}.name`, name, checkDnsLabel),
      ...unique(`${path}.name`, name),
    ];
    errors.push(...own);
    if (own.length === 0) sound.set(name, volume);
    const claim = stringAt(volume.persistentVolumeClaim, 'claimName');
    const detail = 'must not reference a PVC that gets created for an ephemeral volume';
    if (owner.name !== '' && made.has(claim))
      errors.push(invalidValue(`${path}.persistentVolumeClaim.claimName`, claim, detail));
  });
  return { errors, sound };
}

function sourceErrors(volume: JsonObject, field: string, owner: VolumeOwner): FieldError[] {
  const present = Object.keys(SOURCES).filter((name) => isJsonObject(volume[name]));
  if (present.length === 0) return [required(field, 'must specify a volume type')];
  return present.flatMap((name, index) =>
    index === 0
      ? [
          ...longInitiatorErrors(volume, name, field),
          ...imageErrors(volume, name, field, owner),
          ...(ownMember(SOURCES, name)?.(volume[name] as JsonObject, `${field}.${ownMember(SHOWN, name) ?? name}`) ??
            []),
          ...claimNameErrors(volume, name, field, owner),
        ]
      : [
          forbiddenField(
            `${field}.${ownMember(SHOWN_SECOND, name) ?? name}`,
            'may not specify more than 1 volume type',
          ),
        ],
  );
}

function longInitiatorErrors({ name, iscsi }: JsonObject, source: string, field: string): FieldError[] {
  if (source !== 'iscsi' || !isJsonObject(iscsi) || iscsi.initiatorName === undefined) return [];
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  const isLong = `${String(name)}:${stringAt(iscsi, 'targetPortal')}`.length > MAX_ISCSI;
  return isLong ? [invalidValue(`${field}.name`, name, detail)] : [];
}

/** A template can omit the image, because a controller may set it when it creates the pods. */
function imageErrors({ image }: JsonObject, source: string, field: string, { isPod }: VolumeOwner): FieldError[] {
  if (source !== 'image' || !isPod || stringAt(image, 'reference') !== '') return [];
  return [required(`${field}.image.reference`)];
}

function claimNameErrors(volume: JsonObject, source: string, field: string, owner: VolumeOwner): FieldError[] {
  const name = stringAt(volume, 'name');
  if (source !== 'ephemeral' || owner.name === '' || name === '') return [];
  const claim = `${owner.name}-${name}`;
  return checkDnsSubdomain('', claim).map(({ body }) =>
    invalidValue(`${field}.name`, name, `PVC name ${goQuoted(claim)}: ${body.replace(/^.*?": /s, '')}`),
  );
}

function validateEphemeral({ volumeClaimTemplate: template }: JsonObject, field: string): FieldError[] {
  const path = `${field}.volumeClaimTemplate`;
  if (!isJsonObject(template)) return [required(path)];
  return [
    ...templateMetadataErrors(objectAt(template, 'metadata'), `${path}.metadata`),
    ...validateClaimSpec(objectAt(template, 'spec'), `${path}.spec`),
  ];
}

/** Returns the errors of a path on the node. */
export function validateHostPath(source: JsonObject, field: string): FieldError[] {
  const [path, type] = [stringAt(source, 'path'), stringAt(source, 'type')];
  if (path === '') return [required(`${field}.path`)];
  return [
    ...backstepErrors(path, `${field}.path`),
    ...(type === '' ? [] : validateOneOf(`${field}.type`, type, ['', ...HOST_PATHS])),
  ];
}

function modeErrors(source: JsonObject, field: string): FieldError[] {
  return validateFileMode(`${field}.defaultMode`, numberAt(source, 'defaultMode'));
}
