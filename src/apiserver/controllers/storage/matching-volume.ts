import { goQuoted } from '../../../base/go-quoted.js';
import { matchesSelector, type LabelSelector } from '../../../api/selection/label-selector.js';
import { parseQuantity } from '../../../api/schema/quantity.js';
import { arrayAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';

const FORMER_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** Restrictions on the choice of a volume. */
export interface VolumeChoice {
  /** Allows only volumes reserved for the claim: the scheduler selects the others. */
  readonly isDelayed?: boolean;
  /** Returns whether a volume is accessible from the required node. */
  readonly suits?: (volume: ApiObject) => boolean;
}

/** Returns the volume bound to the claim, or the smallest matching one with the fewest access modes. */
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

/** Returns whether the volume is reserved for the claim, or bound to it. */
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

/** Returns why the volume does not match the claim, with the messages of the real controller. */
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

/** Returns the storage class of a volume or a claim; empty if not set. */
export function classOf({ spec, metadata }: ApiObject): string {
  return metadata.annotations?.[FORMER_CLASS] ?? stringAt(spec, 'storageClassName');
}

/** Returns whether a class is set, including the empty one. */
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
