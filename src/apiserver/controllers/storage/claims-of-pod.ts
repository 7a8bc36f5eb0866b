import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';

/** Returns the names of the claims of a pod, including those of its ephemeral volumes. */
export function claimsOfPod(pod: ApiObject): string[] {
  return eachObject(objectAt(pod, 'spec').volumes)
    .map((volume) =>
      volume.ephemeral === undefined
        ? stringAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
        : ephemeralClaimName(pod, volume),
    )
    .filter((name) => name !== '');
}

/** Returns the name of the claim of an ephemeral volume. */
export function ephemeralClaimName({ metadata }: ApiObject, volume: JsonObject): string {
  return `${metadata.name}-${stringAt(volume, 'name')}`;
}
