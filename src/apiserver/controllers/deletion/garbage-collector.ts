import { objectKey } from '../../../api/object-key.js';
import type { OwnerReference } from '../../../api/kube-object.js';
import { without, type ApiObject } from '../../object.js';
import type { Resource } from '../../resources/resource.js';
import type { ClusterClient } from '../cluster-client.js';
import { KeyQueue } from '../controller.js';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

interface Dependent {
  readonly resource: Resource;
  readonly object: ApiObject;
}

/** Deletes what lost its owners, and holds owners deleted in the foreground until theirs are gone. */
export class GarbageCollector {
  private readonly queue: KeyQueue;
  private readonly watched = new Map<string, () => void>();
  private seenChanges = -1;
  /** Keys (`collection|key`) of objects by the uid of each owner. */
  private readonly dependents = new Map<string, Set<string>>();
  private readonly resources = new Map<string, Resource>();
  /** Every uid there is. */
  private readonly alive = new Map<string, string>();

  constructor(private readonly client: ClusterClient) {
    this.queue = new KeyQueue('garbage-collector', client.clock, client.logger, (key) => this.reconcile(key));
    this.watchNewResources();
    const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
    this.watched.set(
      'definitions',
      client.store.collection(definitions).subscribe(() => setImmediate(() => this.watchNewResources())),
    );
  }

  stop(): void {
    this.queue.stop();
    for (const unsubscribe of this.watched.values()) unsubscribe();
  }

  private watchNewResources(): void {
    const { resources, registry } = this.client.api;
    if (this.seenChanges === resources.changes) return;
    this.seenChanges = resources.changes;
    for (const resource of resources.distinct()) {
      this.resources.set(resource.storage, resource);
      if (this.watched.has(resource.storage)) continue;
      const collection = registry.store.collection(resource.storage);
      for (const { object } of collection.range('')) this.onLive(resource, object);
      const stop = collection.subscribe(({ type, current, previous }) => {
        if (type === 'DELETED') this.onGone(resource, current.object);
        else this.onLive(resource, current.object, previous?.object);
      });
      this.watched.set(resource.storage, stop);
    }
  }

  private onLive(resource: Resource, object: ApiObject, previous?: ApiObject): void {
    const { uid = '', ownerReferences = [] } = object.metadata;
    const key = `${resource.storage}|${objectKey(object)}`;
    this.alive.set(uid, key);
    for (const owner of previous?.metadata.ownerReferences ?? []) this.dependents.get(owner.uid)?.delete(key);
    for (const owner of ownerReferences) this.addDependent(owner.uid, key);
    if (ownerReferences.length > 0 || isHeld(object)) this.queue.add(key);
  }

  private addDependent(owner: string, key: string): void {
    let set = this.dependents.get(owner);
    if (!set) this.dependents.set(owner, (set = new Set()));
    set.add(key);
  }

  private onGone(resource: Resource, object: ApiObject): void {
    const { uid = '', ownerReferences = [] } = object.metadata;
    const key = `${resource.storage}|${objectKey(object)}`;
    this.alive.delete(uid);
    for (const dependent of this.dependents.get(uid) ?? []) this.queue.add(dependent);
    for (const owner of ownerReferences) {
      this.dependents.get(owner.uid)?.delete(key);
      const ownerKey = this.alive.get(owner.uid);
      if (ownerKey !== undefined) this.queue.add(ownerKey);
    }
  }

  private find(key: string): Dependent | undefined {
    const [storage = '', name = ''] = key.split('|');
    const resource = this.resources.get(storage);
    const stored = this.client.store.get(storage, name);
    return resource && stored && { resource, object: resource.codec.fromStorage(stored.object) };
  }

  private reconcile(key: string): void {
    const found = this.find(key);
    if (!found) return;
    const { object } = found;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp === undefined) this.collect(found);
    else if (finalizers.includes(ORPHAN)) this.orphanDependents(found);
    else if (finalizers.includes(FOREGROUND)) this.deleteDependents(found);
  }

  /** Deletes an object none of whose owners is there; drops the references of those that are gone otherwise. */
  private collect({ resource, object }: Dependent): void {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    const solid = owners.filter((owner) => this.isSolid(owner, object));
    if (solid.length === owners.length) return;
    if (solid.length > 0) {
      this.client.update(resource, object, (old) => ({
        ...old,
        metadata: { ...old.metadata, ownerReferences: solid },
      }));
      return;
    }
    const isWaitedFor = owners.some((owner) => this.isForeground(owner));
    const hasDependents = (this.dependents.get(object.metadata.uid ?? '')?.size ?? 0) > 0;
    this.client.remove(resource, object, {
      propagationPolicy: isWaitedFor && hasDependents ? 'Foreground' : 'Background',
    });
  }

  /** Whether an owner is there, by uid, in reach, and not waiting for its dependents to go. */
  private isSolid(owner: OwnerReference, { metadata }: ApiObject): boolean {
    const key = this.alive.get(owner.uid);
    const found = key === undefined ? undefined : this.find(key);
    if (!found || found.object.metadata.name !== owner.name || found.object.kind !== owner.kind) return false;
    if (found.resource.namespaced && found.object.metadata.namespace !== metadata.namespace) return false;
    return !this.isForeground(owner);
  }

  private isForeground({ uid }: OwnerReference): boolean {
    const key = this.alive.get(uid);
    const metadata = key === undefined ? undefined : this.find(key)?.object.metadata;
    return metadata?.deletionTimestamp !== undefined && metadata.finalizers?.includes(FOREGROUND) === true;
  }

  private deleteDependents(owner: Dependent): void {
    const { uid = '' } = owner.object.metadata;
    const dependents = [...(this.dependents.get(uid) ?? [])]
      .map((key) => this.find(key))
      .filter((found) => found !== undefined);
    const blocking = dependents.filter(({ object }) =>
      object.metadata.ownerReferences?.some(
        (reference) => reference.uid === uid && reference.blockOwnerDeletion === true,
      ),
    );
    for (const dependent of dependents)
      if (dependent.object.metadata.deletionTimestamp === undefined) this.collect(dependent);
    if (blocking.every(({ resource, object }) => !this.client.store.get(resource.storage, objectKey(object))))
      this.dropFinalizer(owner, FOREGROUND);
  }

  private orphanDependents(owner: Dependent): void {
    const { uid = '' } = owner.object.metadata;
    for (const key of [...(this.dependents.get(uid) ?? [])]) {
      const found = this.find(key);
      if (!found) continue;
      this.client.update(found.resource, found.object, (old) => {
        const ownerReferences = (old.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
        const metadata = without(old.metadata, 'ownerReferences');
        return { ...old, metadata: { ...metadata, ...(ownerReferences.length > 0 && { ownerReferences }) } };
      });
    }
    this.dropFinalizer(owner, ORPHAN);
  }

  private dropFinalizer({ resource, object }: Dependent, finalizer: string): void {
    this.client.update(resource, object, (old) => {
      const finalizers = (old.metadata.finalizers ?? []).filter((name) => name !== finalizer);
      const metadata = without(old.metadata, 'finalizers');
      return { ...old, metadata: { ...metadata, ...(finalizers.length > 0 && { finalizers }) } };
    });
  }
}

/** Whether a deleted object waits for the garbage collector. */
function isHeld({ metadata }: ApiObject): boolean {
  const finalizers = metadata.finalizers ?? [];
  return metadata.deletionTimestamp !== undefined && (finalizers.includes(FOREGROUND) || finalizers.includes(ORPHAN));
}
