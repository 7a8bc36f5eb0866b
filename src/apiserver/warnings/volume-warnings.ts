import { ownMember } from '../../base/own-member.js';
import { eachObject, isJsonObject, objectAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { nodeSelectorTermsWarnings } from './node-label-warnings.js';
import { byteWarnings } from './quantity-warnings.js';

const DEPRECATED: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageOS: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};
/** Field names of volume sources that differ from the source. */
const MEMBERS: Readonly<Record<string, string>> = { storageOS: 'storageos' };
const OF_PERSISTENT = ['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageOS', 'glusterfs', 'rbd'];
const STORAGE_CLASS = 'volume.beta.kubernetes.io/storage-class';
const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';
const RECYCLE =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

/** Returns warnings for the volumes of a pod. */
export function volumeWarnings(spec: JsonObject, field: string): string[] {
  return eachObject(spec.volumes).flatMap((volume, index) => {
    const path = `${field}.volumes[${index}]`;
    const claim = objectAt(objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate'), 'spec');
    return [
      ...sourceWarnings(volume, `${path}.`, Object.keys(DEPRECATED)),
      ...claimSpecWarnings(claim, `${path}.ephemeral.volumeClaimTemplate.spec`),
    ];
  });
}

function sourceWarnings(volume: JsonObject, field: string, names: readonly string[]): string[] {
  return names.flatMap((name) =>
    isJsonObject(volume[ownMember(MEMBERS, name) ?? name])
      ? [`${field}${name}: ${ownMember(DEPRECATED, name) ?? ''}`]
      : [],
  );
}

/** Returns warnings for the spec of a PersistentVolumeClaim. */
export function claimSpecWarnings(spec: JsonObject, field: string): string[] {
  const resources = objectAt(spec, 'resources');
  return ['requests', 'limits'].flatMap((name) =>
    byteWarnings(objectAt(resources, name), `${field}.resources.${name}`, ['storage']),
  );
}

/** Returns warnings for a PersistentVolumeClaim. */
export function claimWarnings(object: ApiObject, _old: ApiObject | undefined, subresource: string): string[] {
  if (subresource !== '') return [];
  const message = 'deprecated since v1.8; use "storageClassName" attribute instead';
  return [
    ...annotationWarnings(object, STORAGE_CLASS, message),
    ...claimSpecWarnings(objectAt(object, 'spec'), 'spec'),
  ];
}

/** Returns warnings for a PersistentVolume. */
export function persistentVolumeWarnings(
  object: ApiObject,
  _old: ApiObject | undefined,
  subresource: string,
): string[] {
  if (subresource !== '') return [];
  const spec = objectAt(object, 'spec');
  const { nodeSelectorTerms } = objectAt(objectAt(spec, 'nodeAffinity'), 'required');
  return [
    ...annotationWarnings(object, STORAGE_CLASS, 'deprecated since v1.8; use "storageClassName" attribute instead'),
    ...annotationWarnings(object, MOUNT_OPTIONS, 'deprecated since v1.31; use "mountOptions" attribute instead'),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' ? [`spec.persistentVolumeReclaimPolicy: ${RECYCLE}`] : []),
    ...nodeSelectorTermsWarnings(nodeSelectorTerms, 'spec.nodeAffinity.required.nodeSelectorTerms'),
    ...sourceWarnings(spec, 'spec.', OF_PERSISTENT),
  ];
}

function annotationWarnings({ metadata }: ApiObject, key: string, message: string): string[] {
  return metadata.annotations?.[key] === undefined ? [] : [`metadata.annotations[${key}]: ${message}`];
}
