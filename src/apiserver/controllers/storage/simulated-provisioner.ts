import { parseQuantity } from '../../../api/schema/quantity.js';
import { DEFAULT_STORAGE_CLASS } from '../../admission/storage/default-class.js';
import { arrayAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { classOf } from './matching-volume.js';
import { PROVISIONED_BY, STORAGE_PROVISIONER } from './volume-annotations.js';

/** Provisioner in storage classes of simulated volumes. */
const PROVISIONER = 'kindwright.dev/simulated';
const CLASS = 'standard';

/** Simulates a volume provisioner, and creates a default storage class, like `standard` in kind. */
export class SimulatedProvisioner {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly claims;
  private readonly volumes;
  private readonly classes;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.claims = client.resource('v1', 'persistentvolumeclaims');
    this.volumes = client.resource('v1', 'persistentvolumes');
    this.classes = client.resource('storage.k8s.io/v1', 'storageclasses');
    this.events = new ComponentEventRecorder(client, PROVISIONER);
    this.queue = new ReconcileQueue('simulated-provisioner', client.clock, client.logger, (key) => this.reconcile(key));
    this.createClass();
    this.unsubscribe = [this.claims, this.volumes].map(({ storage }) =>
      follow(client.store, storage, ({ current }) => this.queue.add(current.key)),
    );
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private createClass(): void {
    if (this.client.get(this.classes, CLASS)) return;
    const annotations = { [DEFAULT_STORAGE_CLASS.marks[0] ?? '']: 'true' };
    this.client.create(this.classes, {
      metadata: { name: CLASS, annotations },
      provisioner: PROVISIONER,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    });
  }

  /** Reconciles a claim or a volume: only keys of claims have a namespace. */
  private reconcile(key: string): void {
    const isClaim = key.includes('/');
    const object = this.client.get(isClaim ? this.claims : this.volumes, key);
    if (!object || object.metadata.deletionTimestamp !== undefined) return;
    if (isClaim) this.provide(object);
    else if (isAbandoned(object)) this.client.remove(this.volumes, object);
  }

  private provide(claim: ApiObject): void {
    if (stringAt(claim.spec, 'volumeName') !== '') this.grow(claim);
    else if (claim.metadata.annotations?.[STORAGE_PROVISIONER] === PROVISIONER) this.provision(claim);
  }

  private provision(claim: ApiObject): void {
    const { name, namespace, uid = '', resourceVersion } = claim.metadata;
    const volume = `pvc-${uid}`;
    const storageClass = this.client.get(this.classes, classOf(claim));
    if (this.client.get(this.volumes, volume) || !storageClass) return;
    const { accessModes, volumeMode, resources, volumeAttributesClassName } = objectAt(claim, 'spec');
    const mountOptions = arrayAt(storageClass, 'mountOptions');
    this.client.create(this.volumes, {
      metadata: { name: volume, annotations: { [PROVISIONED_BY]: PROVISIONER } },
      spec: {
        capacity: { storage: objectAt(resources, 'requests').storage },
        accessModes,
        volumeMode,
        claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion },
        persistentVolumeReclaimPolicy: storageClass.reclaimPolicy,
        storageClassName: storageClass.metadata.name,
        ...(mountOptions.length > 0 && { mountOptions }),
        ...(volumeAttributesClassName !== undefined && { volumeAttributesClassName }),
        hostPath: { path: `/var/lib/kindwright/${volume}`, type: 'DirectoryOrCreate' },
      },
    });
    const message = `Successfully provisioned volume ${volume}`;
    this.events.record(this.claims, claim, { reason: 'ProvisioningSucceeded', message });
  }

  /** Expands the volume of a claim that requests more, like a driver with online expansion. */
  private grow(claim: ApiObject): void {
    const volume = this.client.get(this.volumes, stringAt(claim.spec, 'volumeName'));
    const isOwn = volume?.metadata.annotations?.[PROVISIONED_BY] === PROVISIONER;
    const { storage } = objectAt(objectAt(claim.spec, 'resources'), 'requests');
    const { capacity, ...status } = objectAt(claim, 'status');
    if (!isOwn || status.phase !== 'Bound' || sizeOf(storage) <= sizeOf(objectAt({ capacity }, 'capacity').storage))
      return;
    this.client.update(this.volumes, volume, (old) => ({
      ...old,
      spec: { ...objectAt(old, 'spec'), capacity: { storage } },
    }));
    this.client.updateStatus(this.claims, claim, { ...status, capacity: { storage } });
  }
}

function sizeOf(quantity: unknown): bigint {
  return parseQuantity(String(quantity))?.nano ?? 0n;
}

/** Returns whether a volume of this provisioner was released by its claim. */
function isAbandoned({ metadata, spec, status }: ApiObject): boolean {
  return (
    metadata.annotations?.[PROVISIONED_BY] === PROVISIONER &&
    stringAt(status, 'phase') === 'Released' &&
    stringAt(spec, 'persistentVolumeReclaimPolicy') === 'Delete'
  );
}
