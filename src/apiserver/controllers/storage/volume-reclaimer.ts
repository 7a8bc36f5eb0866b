import { goQuoted } from '../../../base/go-quoted.js';
import { objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import type { ComponentEventRecorder } from '../component-event-recorder.js';
import { modeOf } from './matching-volume.js';
import { PROVISIONED_BY } from './volume-annotations.js';
import type { VolumeBinding } from './volume-binding.js';

/** Sets the phases of volumes, and reclaims those of deleted claims, like syncVolume in pv_controller.go. */
export class VolumeReclaimer {
  constructor(
    private readonly client: ClusterClient,
    private readonly binding: VolumeBinding,
    private readonly events: ComponentEventRecorder,
    private readonly queueClaim: (claim: ApiObject) => void,
  ) {}

  reconcile(volume: ApiObject): void {
    const { claimRef } = objectAt(volume, 'spec');
    const uid = stringAt(claimRef, 'uid');
    if (uid === '') {
      this.binding.setPhase(volume, 'Available');
      return;
    }
    const key = `${stringAt(claimRef, 'namespace')}/${stringAt(claimRef, 'name')}`;
    const claim = this.client.get(this.binding.claims, key);
    const name = stringAt(claim?.spec, 'volumeName');
    if (claim?.metadata.uid !== uid) this.release(volume);
    else if (name === '') this.await(volume, claim);
    else if (name === volume.metadata.name) this.binding.setPhase(volume, 'Bound');
    else if (volume.metadata.annotations?.[PROVISIONED_BY] !== undefined && policyOf(volume) === 'Delete')
      this.release(volume);
    else this.binding.unbind(volume);
  }

  /** Queues the claim to be bound; records events if the volume modes differ. */
  private await(volume: ApiObject, claim: ApiObject): void {
    if (modeOf(volume) === modeOf(claim)) {
      this.queueClaim(claim);
      return;
    }
    const [name, claimName] = [volume, claim].map(({ metadata }) => goQuoted(metadata.name));
    const why = 'due to incompatible volumeMode.';
    const [reason, type] = ['VolumeMismatch', 'Warning'] as const;
    const ofVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} ${why}`;
    const ofClaim = `Cannot bind PersistentVolume ${name} to requested PersistentVolumeClaim ${why}`;
    this.events.record(this.binding.volumes, volume, { reason, type, message: ofVolume });
    this.events.record(this.binding.claims, claim, { reason, type, message: ofClaim });
  }

  private release(volume: ApiObject): void {
    if (stringAt(volume.status, 'phase') !== 'Failed') this.binding.setPhase(volume, 'Released');
    if (policyOf(volume) === 'Delete') this.delete(volume);
    else if (policyOf(volume) === 'Recycle') this.recycle(volume);
  }

  /** Deletes the volume, unless a provisioner or CSI driver has to do so. */
  private delete(volume: ApiObject): void {
    const spec = objectAt(volume, 'spec');
    const provisioner = volume.metadata.annotations?.[PROVISIONED_BY] ?? '';
    if (volume.metadata.deletionTimestamp !== undefined || spec.csi !== undefined) return;
    if (provisioner !== '' && !provisioner.startsWith('kubernetes.io/')) return;
    const problem = deletionProblem(volume, provisioner);
    if (problem === undefined) this.client.remove(this.binding.volumes, volume);
    else this.fail(volume, 'VolumeFailedDelete', problem);
  }

  private recycle(volume: ApiObject): void {
    const { hostPath, nfs } = objectAt(volume, 'spec');
    if (hostPath === undefined && nfs === undefined) {
      this.fail(volume, 'VolumeFailedRecycle', 'No recycler plugin found for the volume!');
      return;
    }
    this.events.record(this.binding.volumes, volume, { reason: 'VolumeRecycled', message: 'Volume recycled' });
    this.binding.unbind(volume);
  }

  private fail(volume: ApiObject, reason: string, message: string): void {
    if (this.binding.setPhase(volume, 'Failed', message))
      this.events.record(this.binding.volumes, volume, { reason, message, type: 'Warning' });
  }
}

function policyOf({ spec }: ApiObject): string {
  return stringAt(spec, 'persistentVolumeReclaimPolicy');
}

/** Returns the error of the real controller's plugins. */
function deletionProblem({ metadata, spec }: ApiObject, provisioner: string): string | undefined {
  if (provisioner !== '') return `no deletable volume plugin matched`;
  const { hostPath } = objectAt({ spec }, 'spec');
  if (hostPath === undefined)
    return `error getting deleter volume plugin for volume ${goQuoted(metadata.name)}: no deletable volume plugin matched`;
  const path = stringAt(hostPath, 'path');
  return /\/tmp\/.+/.test(path) ? undefined : `host_path deleter only supports /tmp/.+ but received provided ${path}`;
}
