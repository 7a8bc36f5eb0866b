import { keyOf, objectKey } from '../../../api/objects/object-key.js';
import { objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { ClaimBinder } from './claim-binder.js';
import { claimsOfPod } from './claims-of-pod.js';
import { BIND_COMPLETED } from './volume-annotations.js';
import { VolumeBinding } from './volume-binding.js';
import { VolumeReclaimer } from './volume-reclaimer.js';

/** Binds PersistentVolumeClaims and PersistentVolumes, and reclaims the volumes of deleted claims. */
export class PersistentVolumeController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly binding: VolumeBinding;
  private readonly claimBinder: ClaimBinder;
  private readonly reclaimer: VolumeReclaimer;

  constructor(private readonly client: ClusterClient) {
    const { store } = client;
    const events = new ComponentEventRecorder(client, 'persistentvolume-controller');
    this.binding = new VolumeBinding(client);
    this.claimBinder = new ClaimBinder(client, this.binding, events);
    this.reclaimer = new VolumeReclaimer(client, this.binding, events, (claim) => this.queue.add(objectKey(claim)));
    this.queue = new ReconcileQueue('persistent-volumes', client.clock, client.logger, (key) => this.reconcile(key));
    const { claims, volumes } = this.binding;
    this.unsubscribe = [
      follow(store, claims.storage, ({ current, previous }) => {
        this.queue.add(current.key);
        this.addVolumesOf(current.object);
        if (previous) this.addVolumesOf(previous.object);
      }),
      follow(store, volumes.storage, ({ current }) => {
        this.queue.add(current.key);
        this.addClaimsFor(current.object);
      }),
      store.collection('storageclasses.storage.k8s.io').subscribe(() => {
        this.addUnbound(() => true);
      }),
      store.collection('pods').subscribe(({ current: { object } }) => {
        const names = stringAt(object.spec, 'nodeName') === '' ? claimsOfPod(object) : [];
        for (const name of names) this.queue.add(keyOf(name, object.metadata.namespace));
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  /** Reconciles a claim or a volume: only keys of claims have a namespace. */
  private reconcile(key: string): void {
    const isClaim = key.includes('/');
    const object = this.client.get(isClaim ? this.binding.claims : this.binding.volumes, key);
    if (!object) return;
    if (isClaim) this.claimBinder.reconcile(object);
    else this.reclaimer.reconcile(object);
  }

  private addVolumesOf({ spec, metadata }: ApiObject): void {
    const name = stringAt(spec, 'volumeName');
    if (name !== '') this.queue.add(name);
    for (const volume of this.client.list(this.binding.volumes))
      if (stringAt(objectAt(volume, 'spec').claimRef, 'uid') === metadata.uid) this.queue.add(volume.metadata.name);
  }

  /** Queues the claims that a volume affects: its own, or all unbound claims if it is free. */
  private addClaimsFor(volume: ApiObject): void {
    const { claimRef } = objectAt(volume, 'spec');
    if (claimRef === undefined) this.addUnbound(() => true);
    else this.queue.add(`${stringAt(claimRef, 'namespace')}/${stringAt(claimRef, 'name')}`);
    this.addUnbound(({ spec }) => stringAt(spec, 'volumeName') === volume.metadata.name);
  }

  private addUnbound(isConcerned: (claim: ApiObject) => boolean): void {
    for (const claim of this.client.list(this.binding.claims))
      if (claim.metadata.annotations?.[BIND_COMPLETED] === undefined && isConcerned(claim))
        this.queue.add(objectKey(claim));
  }
}
