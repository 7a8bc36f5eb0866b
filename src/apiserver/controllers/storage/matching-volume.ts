import { goQuoted } from '../../../base/go-quoted.js';
import { matchesSelector, type LabelSelector } from '../../../api/label-selector.js';
import { parseQuantity } from '../../../api/quantity.js';
import { arrayAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';

const FORMER_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** What narrows the choice of volumes down. */
export interface VolumeChoice {
  /** Only volumes reserved for the claim: the scheduler chooses among the others. */
  readonly isDelayed?: boolean;
  /** Whether a volume can be reached where the claim is needed. */
  readonly suits?: (volume: ApiObject) => boolean;
}

/** The volume that is the claim's, or the smallest that would do, with as few access modes as can be. */
export function findMatchingVolume(
  claim: ApiObject,
  volumes: Iterable<ApiObject>,
  { isDelayed = false, suits = () => true }: VolumeChoice = {},
): ApiObject | undefined {
  const candidates = [...volumes].filter((volume) => {
    const isTaken = objectAt(volume, 'spec').claimRef !== undefined && !isBoundTo(volume, claim);
    return (
      !isTaken && volume.metadata.deletionTimestamp === undefined && mismatchOf(volume, claim, false) === undefined
    );
  });
  const own = candidates.find((volume) => isBoundTo(volume, claim));
  if (own) return suits(own) ? own : undefined;
  if (isDelayed) return undefined;
  const selector = objectAt(claim, 'spec').selector as LabelSelector | undefined;
  return candidates
    .filter(
      (volume) =>
        stringAt(volume.status, 'phase') === 'Available' &&
        classOf(volume) === classOf(claim) &&
        (selector === undefined || matchesSelector(selector, volume.metadata.labels)) &&
        suits(volume),
    )
    .sort((a, b) => modesOf(a).length - modesOf(b).length || compare(capacityOf(a), capacityOf(b)))[0];
}

/** Whether the volume is reserved for the claim, or bound to it. */
export function isBoundTo({ spec }: ApiObject, { metadata }: ApiObject): boolean {
  const { claimRef } = objectAt({ spec }, 'spec');
  const uid = stringAt(claimRef, 'uid');
  return (
    claimRef !== undefined &&
    stringAt(claimRef, 'name') === metadata.name &&
    stringAt(claimRef, 'namespace') === metadata.namespace &&
    (uid === '' || uid === metadata.uid)
  );
}

/** Why the volume is not what the claim asks for, in the real controller's words. */
export function mismatchOf(volume: ApiObject, claim: ApiObject, isNamed = true): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined)
    return `the volume is marked for deletion ${goQuoted(volume.metadata.name)}`;
  if (capacityOf(volume) < requestOf(claim)) return 'requested PV is too small';
  if (isNamed && classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if (attributesClassOf(volume) !== attributesClassOf(claim)) return 'volumeAttributesClassName does not match';
  if (modeOf(volume) !== modeOf(claim)) return 'incompatible volumeMode';
  const offered = modesOf(volume);
  return modesOf(claim).every((mode) => offered.includes(mode)) ? undefined : 'incompatible accessMode';
}

export function modeOf({ spec }: ApiObject): string {
  return stringAt(spec, 'volumeMode') || 'Filesystem';
}

/** The storage class of a volume or a claim; empty for none. */
export function classOf({ spec, metadata }: ApiObject): string {
  return metadata.annotations?.[FORMER_CLASS] ?? stringAt(spec, 'storageClassName');
}

/** Whether a class was named, be it the empty one. */
export function namesClass({ spec, metadata }: ApiObject): boolean {
  return (
    metadata.annotations?.[FORMER_CLASS] !== undefined || objectAt({ spec }, 'spec').storageClassName !== undefined
  );
}

function attributesClassOf({ spec }: ApiObject): string {
  return stringAt(spec, 'volumeAttributesClassName');
}

function modesOf({ spec }: ApiObject): readonly unknown[] {
  return arrayAt(spec, 'accessModes');
}

function capacityOf({ spec }: ApiObject): bigint {
  return parseQuantity(stringAt(objectAt(spec, 'capacity'), 'storage'))?.nano ?? 0n;
}

function requestOf({ spec }: ApiObject): bigint {
  return parseQuantity(stringAt(objectAt(objectAt(spec, 'resources'), 'requests'), 'storage'))?.nano ?? 0n;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
