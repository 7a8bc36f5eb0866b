import { eachObject } from '../../objects/api-object.js';
import { objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';

/** The names of the claims a pod uses, those of its ephemeral volumes included. */
export function claimsOfPod(pod: ApiObject): string[] {
  return eachObject(objectAt(pod, 'spec').volumes)
    .map((volume) =>
      volume.ephemeral === undefined
        ? stringAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
        : ephemeralClaimName(pod, volume),
    )
    .filter((name) => name !== '');
}

/** What the claim of an ephemeral volume is called. */
export function ephemeralClaimName({ metadata }: ApiObject, volume: JsonObject): string {
  return `${metadata.name}-${stringAt(volume, 'name')}`;
}
