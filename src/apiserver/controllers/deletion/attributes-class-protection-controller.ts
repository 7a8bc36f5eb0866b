import { objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import type { StoreEvent } from '../../storage/stored-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { releaseUnused } from './release-unused.js';

const FINALIZER = 'kubernetes.io/vac-protection';

/** Removes the finalizer of deleted VolumeAttributesClasses that no claim or volume uses. */
export class AttributesClassProtectionController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly classes: Resource;
  private readonly users: readonly Resource[];

  constructor(private readonly client: ClusterClient) {
    this.classes = client.resource('storage.k8s.io/v1', 'volumeattributesclasses');
    this.users = ['persistentvolumeclaims', 'persistentvolumes'].map((plural) => client.resource('v1', plural));
    this.queue = new ReconcileQueue('attributes-class-protection', client.clock, client.logger, (key) => {
      releaseUnused(client, this.classes, { finalizer: FINALIZER, key }, (found) => this.isUsed(found.metadata.name));
    });
    const queueClasses = ({ current, previous }: StoreEvent): void => {
      for (const name of [current, previous].flatMap((state) => (state ? classesOf(state.object) : [])))
        this.queue.add(name);
    };
    this.unsubscribe = [
      follow(client.store, this.classes.storage, ({ current }) => this.queue.add(current.key)),
      ...this.users.map(({ storage }) => client.store.collection(storage).subscribe(queueClasses)),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private isUsed(name: string): boolean {
    return this.users.some((resource) => {
      for (const object of this.client.list(resource)) if (classesOf(object).includes(name)) return true;
      return false;
    });
  }
}

/** Returns the classes that a claim or a volume uses or is about to use. */
function classesOf({ spec, status }: ApiObject): string[] {
  const names = [
    stringAt(spec, 'volumeAttributesClassName'),
    stringAt(status, 'currentVolumeAttributesClassName'),
    stringAt(objectAt(objectAt({ status }, 'status'), 'modifyVolumeStatus'), 'targetVolumeAttributesClassName'),
  ];
  return names.filter((name) => name !== '');
}
