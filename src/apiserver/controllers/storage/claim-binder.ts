import { goQuoted } from '../../../base/go-quoted.js';
import { objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import { DEFAULT_STORAGE_CLASS, defaultClass } from '../../admission/storage/default-class.js';
import type { ClusterClient } from '../cluster-client.js';
import type { ComponentEventRecorder } from '../component-event-recorder.js';
import { claimsOfPod } from './claims-of-pod.js';
import { classOf, findMatchingVolume, isBoundTo, mismatchOf, namesClass } from './matching-volume.js';
import {
  BIND_COMPLETED,
  FORMER_STORAGE_PROVISIONER,
  SELECTED_NODE,
  STORAGE_PROVISIONER,
} from './volume-annotations.js';
import { annotated, type VolumeBinding } from './volume-binding.js';

/** Binds claims to volumes, like syncClaim in pv_controller.go. */
export class ClaimBinder {
  private readonly classes;
  private readonly pods;

  constructor(
    private readonly client: ClusterClient,
    private readonly binding: VolumeBinding,
    private readonly events: ComponentEventRecorder,
  ) {
    this.classes = client.resource('storage.k8s.io/v1', 'storageclasses');
    this.pods = client.resource('v1', 'pods');
  }

  reconcile(claim: ApiObject): void {
    const name = stringAt(claim.spec, 'volumeName');
    if (claim.metadata.annotations?.[BIND_COMPLETED] !== undefined) this.keep(claim, name);
    else if (name === '') this.choose(claim);
    else this.bindTo(claim, this.binding.volume(name));
  }

  private keep(claim: ApiObject, name: string): void {
    const volume = this.binding.volume(name);
    const { claimRef } = objectAt(volume, 'spec');
    if (name === '') this.lose(claim, 'ClaimLost', 'Bound claim has lost reference to PersistentVolume');
    else if (!volume) this.lose(claim, 'ClaimLost', 'Bound claim has lost its PersistentVolume');
    else if (claimRef === undefined || stringAt(claimRef, 'uid') === claim.metadata.uid)
      this.binding.bind(volume, claim);
    else this.lose(claim, 'ClaimMisbound');
  }

  private lose(claim: ApiObject, reason: 'ClaimLost' | 'ClaimMisbound', what = ''): void {
    if (!this.binding.setClaimStatus(claim, 'Lost')) return;
    const message =
      reason === 'ClaimLost'
        ? `${what}. Data on the volume is lost!`
        : 'Two claims are bound to the same volume, this one is bound incorrectly';
    this.recordEvent(claim, reason, message, 'Warning');
  }

  /** Binds a claim to the volume that it names. */
  private bindTo(claim: ApiObject, volume: ApiObject | undefined): void {
    if (!volume) {
      this.binding.setClaimStatus(claim, 'Pending');
      return;
    }
    const isFree = objectAt(volume, 'spec').claimRef === undefined;
    const mismatch = isFree ? mismatchOf(volume, claim) : undefined;
    if (mismatch === undefined && (isFree || isBoundTo(volume, claim))) {
      this.binding.bind(volume, claim);
      return;
    }
    const name = goQuoted(volume.metadata.name);
    if (mismatch === undefined)
      this.recordEvent(claim, 'FailedBinding', `volume ${name} already bound to a different claim.`, 'Warning');
    else this.recordEvent(claim, 'VolumeMismatch', `Cannot bind to requested volume ${name}: ${mismatch}`, 'Warning');
    this.binding.setClaimStatus(claim, 'Pending');
  }

  /** Binds a claim to any matching volume, or has a volume provisioned. */
  private choose(claim: ApiObject): void {
    const storageClass = this.client.get(this.classes, classOf(claim));
    const isDelayed = stringAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer';
    const volume = findMatchingVolume(claim, this.client.list(this.binding.volumes), { isDelayed });
    if (volume) this.binding.bind(volume, claim);
    else if (!this.nameDefaultClass(claim)) this.provision(claim, storageClass, isDelayed);
  }

  private nameDefaultClass(claim: ApiObject): boolean {
    const found = namesClass(claim) ? undefined : defaultClass(this.client.store, DEFAULT_STORAGE_CLASS);
    if (!found) return false;
    this.client.update(this.binding.claims, claim, (old) => ({
      ...old,
      spec: { ...objectAt(old, 'spec'), storageClassName: found.metadata.name },
    }));
    return true;
  }

  private provision(claim: ApiObject, storageClass: ApiObject | undefined, isDelayed: boolean): void {
    if (isDelayed && claim.metadata.annotations?.[SELECTED_NODE] === undefined) this.recordDelay(claim);
    else if (classOf(claim) !== '') {
      this.requestProvisioning(claim, storageClass);
      return;
    } else
      this.recordEvent(
        claim,
        'FailedBinding',
        'no persistent volumes available for this claim and no storage class is set',
      );
    this.binding.setClaimStatus(claim, 'Pending');
  }

  private recordDelay(claim: ApiObject): void {
    const waiting = [...this.client.list(this.pods, claim.metadata.namespace)].filter(
      (pod) => stringAt(pod.spec, 'nodeName') === '' && claimsOfPod(pod).includes(claim.metadata.name),
    );
    const names = waiting.map(({ metadata }) => metadata.name).join(',');
    if (names === '')
      this.recordEvent(claim, 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
    else
      this.recordEvent(
        claim,
        'WaitForPodScheduled',
        `waiting for pod${waiting.length > 1 ? 's' : ''} ${names} to be scheduled`,
      );
  }

  /** Sets the annotation by which external provisioners detect claims to provision. */
  private requestProvisioning(claim: ApiObject, storageClass: ApiObject | undefined): void {
    if (!storageClass) {
      const message = `storageclass.storage.k8s.io ${goQuoted(classOf(claim))} not found`;
      this.recordEvent(claim, 'ProvisioningFailed', message, 'Warning');
      return;
    }
    const provisioner = stringAt(storageClass, 'provisioner');
    if (provisioner.startsWith('kubernetes.io/')) {
      this.recordEvent(claim, 'ProvisioningFailed', `no volume plugin matched name: ${provisioner}`, 'Warning');
      return;
    }
    if (claim.metadata.annotations?.[STORAGE_PROVISIONER] !== provisioner) {
      const marks = { [FORMER_STORAGE_PROVISIONER]: provisioner, [STORAGE_PROVISIONER]: provisioner };
      this.client.update(this.binding.claims, claim, (old) => annotated(old, marks));
    }
    const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
    this.recordEvent(claim, 'ExternalProvisioning', message);
  }

  private recordEvent(claim: ApiObject, reason: string, message: string, type: 'Normal' | 'Warning' = 'Normal'): void {
    this.events.record(this.binding.claims, claim, { reason, message, type });
  }
}
