import { keyOf } from '../../../api/objects/object-key.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { objectAt, stringAt, without, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import type { ClusterClient } from '../cluster-client.js';
import { isBoundTo } from './matching-volume.js';
import { BIND_COMPLETED, BOUND_BY_CONTROLLER } from './volume-annotations.js';

/** Writes the binding of volumes and claims, and its removal. */
export class VolumeBinding {
  readonly claims: Resource;
  readonly volumes: Resource;

  constructor(private readonly client: ClusterClient) {
    this.claims = client.resource('v1', 'persistentvolumeclaims');
    this.volumes = client.resource('v1', 'persistentvolumes');
  }

  volume(name: string): ApiObject | undefined {
    return this.client.get(this.volumes, name);
  }

  /** Binds a volume to a claim. The volume is written first, so that no other claim gets it if a later write fails. */
  bind(volume: ApiObject, claim: ApiObject): void {
    this.reserve(volume, claim);
    this.setPhase(volume, 'Bound');
    this.completeClaim(claim, volume);
    this.setClaimStatus(claim, 'Bound', this.volume(volume.metadata.name));
  }

  /** Sets the claim reference of the volume. */
  reserve(volume: ApiObject, claim: ApiObject): void {
    const { name, namespace, uid, resourceVersion } = claim.metadata;
    const { claimRef } = objectAt(volume, 'spec');
    if (isBoundTo(volume, claim) && stringAt(claimRef, 'uid') === uid) return;
    const mark = isBoundTo(volume, claim) ? {} : { [BOUND_BY_CONTROLLER]: 'yes' };
    const reference = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
    this.client.update(this.volumes, volume, (old) => ({
      ...annotated(old, mark),
      spec: { ...objectAt(old, 'spec'), claimRef: reference },
    }));
  }

  /** Releases the volume; a reservation by the user is kept. */
  unbind(volume: ApiObject): void {
    const { [BOUND_BY_CONTROLLER]: mark, ...annotations } = volume.metadata.annotations ?? {};
    this.client.update(this.volumes, volume, (old) => {
      const spec = objectAt(old, 'spec');
      return mark === undefined
        ? { ...old, spec: { ...spec, claimRef: without(objectAt(spec, 'claimRef'), 'uid') } }
        : { ...old, metadata: { ...old.metadata, annotations }, spec: without(spec, 'claimRef') };
    });
    this.setPhase(volume, 'Available');
  }

  /** Sets the phase and the message of a volume; returns whether the phase changed. */
  setPhase({ metadata }: ApiObject, phase: string, message = ''): boolean {
    const volume = this.volume(metadata.name);
    if (!volume || stringAt(volume.status, 'phase') === phase) return false;
    const status = without(objectAt(volume, 'status'), 'message');
    this.client.updateStatus(this.volumes, volume, { ...status, phase, ...(message !== '' && { message }) });
    return true;
  }

  /** Sets the status of a claim by its volume; returns whether the phase changed. */
  setClaimStatus(claim: ApiObject, phase: string, volume?: ApiObject): boolean {
    const present = this.client.get(this.claims, keyOf(claim.metadata.name, claim.metadata.namespace));
    if (!present) return false;
    const { capacity, currentVolumeAttributesClassName, ...rest } = without(objectAt(present, 'status'), 'accessModes');
    const isNew = rest.phase !== phase;
    const spec = objectAt(volume, 'spec');
    const next: JsonObject = volume
      ? {
          ...rest,
          phase,
          accessModes: spec.accessModes,
          capacity: isNew ? spec.capacity : capacity,
          currentVolumeAttributesClassName:
            isNew && rest.phase === 'Pending' ? spec.volumeAttributesClassName : currentVolumeAttributesClassName,
        }
      : { ...rest, phase };
    const status = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
    if (!deepEqual(status, present.status)) this.client.updateStatus(this.claims, present, status);
    return isNew;
  }

  private completeClaim(claim: ApiObject, { metadata: { name } }: ApiObject): void {
    const isBound = stringAt(claim.spec, 'volumeName') === name;
    const { annotations = {} } = claim.metadata;
    if (isBound && annotations[BIND_COMPLETED] !== undefined) return;
    const marks = { [BIND_COMPLETED]: 'yes', ...(!isBound && { [BOUND_BY_CONTROLLER]: 'yes' }) };
    this.client.update(this.claims, claim, (old) => ({
      ...annotated(old, marks),
      spec: { ...objectAt(old, 'spec'), volumeName: name },
    }));
  }
}

/** Returns the object with annotations added. */
export function annotated(object: ApiObject, annotations: Readonly<Record<string, string>>): ApiObject {
  const all = { ...object.metadata.annotations, ...annotations };
  return { ...object, metadata: { ...object.metadata, ...(Object.keys(all).length > 0 && { annotations: all }) } };
}
