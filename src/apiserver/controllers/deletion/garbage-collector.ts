import { objectKey } from '../../../api/objects/object-key.js';
import { deepEqual } from '../../../base/deep-equal.js';
import type { OwnerReference } from '../../../api/objects/kube-object.js';
import { without, type ApiObject } from '../../objects/api-object.js';
import type { DeleteOptions } from '../../registry/write-options.js';
import type { Resource } from '../../resources/resource.js';
import type { ClusterClient } from '../cluster-client.js';
import { ReconcileQueue } from '../reconcile-queue.js';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';
/** Excluded as in graph_builder.go: events are deleted without regard to owners. */
const IGNORED = 'events';

/** The state of an owner from the view of its dependents. */
type OwnerState = 'present' | 'deleted' | 'deletingDependents' | 'unknown';

interface Dependent {
  readonly resource: Resource;
  readonly object: ApiObject;
}

/**
 * Deletes objects without remaining owners, and keeps owners deleted in the foreground until their dependents are
 * deleted.
 */
export class GarbageCollector {
  private readonly queue: ReconcileQueue;
  private readonly watched = new Map<string, () => void>();
  private seenChanges = -1;
  /** Keys (`collection|key`) of objects by the uid of each owner. */
  private readonly dependents = new Map<string, Set<string>>();
  private readonly resources = new Map<string, Resource>();
  /** Keys of all existing objects by uid. */
  private readonly alive = new Map<string, string>();
  /** Uids of deleted owners that still have dependents. */
  private readonly deletedOwners = new Set<string>();
  /** Keys of objects with an owner of an unknown kind, which may be defined later. */
  private readonly undecided = new Set<string>();

  constructor(private readonly client: ClusterClient) {
    this.queue = new ReconcileQueue('garbage-collector', client.clock, client.logger, (key) => this.reconcile(key));
    this.watchNewResources();
    const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
    this.watched.set(
      'definitions',
      client.store.collection(definitions).subscribe(() => setImmediate(() => this.watchNewResources())),
    );
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.watched.values()) unsubscribe();
  }

  private watchNewResources(): void {
    const { resources, registry } = this.client.api;
    if (this.seenChanges === resources.changes) return;
    this.seenChanges = resources.changes;
    for (const resource of resources.distinct()) {
      this.resources.set(resource.storage, resource);
      if (this.watched.has(resource.storage) || resource.storage === IGNORED) continue;
      const collection = registry.store.collection(resource.storage);
      for (const { object } of collection.range('')) this.onPresent(resource, object);
      const stop = collection.subscribe(({ type, current, previous }) => {
        if (type === 'DELETED') this.onDeleted(resource, current.object);
        else this.onPresent(resource, current.object, previous?.object);
      });
      this.watched.set(resource.storage, stop);
    }
    for (const key of this.undecided) this.queue.add(key);
    this.undecided.clear();
  }

  private onPresent(resource: Resource, object: ApiObject, previous?: ApiObject): void {
    const { uid = '', ownerReferences = [] } = object.metadata;
    const key = `${resource.storage}|${objectKey(object)}`;
    this.alive.set(uid, key);
    if (previous) this.disown(key, previous.metadata.ownerReferences ?? [], ownerReferences);
    for (const owner of ownerReferences) this.addDependent(owner.uid, key);
    if (ownerReferences.length > 0 || isHeld(object)) this.queue.add(key);
  }

  private addDependent(owner: string, key: string): void {
    let set = this.dependents.get(owner);
    if (!set) this.dependents.set(owner, (set = new Set()));
    set.add(key);
  }

  /** Queues the former owners: they may have been waiting for this dependent. */
  private disown(key: string, former: readonly OwnerReference[], owners: readonly OwnerReference[]): void {
    if (deepEqual(former, owners)) return;
    for (const { uid } of former) this.removeDependent(uid, key);
    this.queueOwners(former);
  }

  private removeDependent(owner: string, key: string): void {
    const set = this.dependents.get(owner);
    if (!set?.delete(key) || set.size > 0) return;
    this.dependents.delete(owner);
    this.deletedOwners.delete(owner);
  }

  private queueOwners(owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      const key = this.alive.get(uid);
      if (key !== undefined) this.queue.add(key);
    }
  }

  private onDeleted(resource: Resource, object: ApiObject): void {
    const { uid = '', ownerReferences = [] } = object.metadata;
    const key = `${resource.storage}|${objectKey(object)}`;
    this.alive.delete(uid);
    const dependents = this.dependents.get(uid);
    if (dependents) this.deletedOwners.add(uid);
    for (const dependent of dependents ?? []) this.queue.add(dependent);
    for (const owner of ownerReferences) this.removeDependent(owner.uid, key);
    this.queueOwners(ownerReferences);
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

  /** Deletes an object if none of its owners exists; otherwise removes the references to deleted owners. */
  private collect({ resource, object }: Dependent): void {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    const states = owners.map((owner) => this.stateIn(object, owner, resource));
    if (states.includes('unknown')) {
      this.undecided.add(`${resource.storage}|${objectKey(object)}`);
      return;
    }
    const present = owners.filter((_owner, index) => states[index] === 'present');
    if (present.length === owners.length) return;
    if (present.length > 0) {
      this.client.update(resource, object, (old) => withOwners(old, present));
      return;
    }
    const dependents = this.dependentsOf(object);
    if (states.includes('deletingDependents') && dependents.length > 0) {
      const isCycle = dependents.some((dependent) => isDeletingDependents(dependent.object));
      if (isCycle) this.unblockOwners(resource, object);
      this.client.remove(resource, object, { propagationPolicy: 'Foreground' });
      return;
    }
    this.client.remove(resource, object, { propagationPolicy: ownPolicy(object) });
  }

  /** Prevents a deadlock of owners that wait for each other. */
  private unblockOwners(resource: Resource, object: ApiObject): void {
    if (!object.metadata.ownerReferences?.some(({ blockOwnerDeletion }) => blockOwnerDeletion === true)) return;
    this.client.update(resource, object, (old) => {
      const owners = old.metadata.ownerReferences ?? [];
      return withOwners(
        old,
        owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
      );
    });
  }

  /** Treats an owner in another namespace as deleted. */
  private stateIn({ metadata }: ApiObject, owner: OwnerReference, resource: Resource): OwnerState {
    const { namespace } = this.find(this.alive.get(owner.uid) ?? '')?.object.metadata ?? {};
    return namespace === undefined || namespace === metadata.namespace || !resource.namespaced
      ? this.stateOf(owner, resource)
      : 'deleted';
  }

  private stateOf(owner: OwnerReference, { namespaced }: Resource): OwnerState {
    if (this.deletedOwners.has(owner.uid)) return 'deleted';
    const resource = this.client.api.resources.ofKind(owner.apiVersion, owner.kind);
    if (!resource || (resource.namespaced && !namespaced)) return 'unknown';
    const found = this.find(this.alive.get(owner.uid) ?? '');
    if (found?.resource.storage !== resource.storage || found.object.metadata.name !== owner.name) return 'deleted';
    return isDeletingDependents(found.object) ? 'deletingDependents' : 'present';
  }

  private dependentsOf({ metadata: { uid = '' } }: ApiObject): Dependent[] {
    const keys = [...(this.dependents.get(uid) ?? [])];
    return keys.map((key) => this.find(key)).filter((found) => found !== undefined);
  }

  private deleteDependents(owner: Dependent): void {
    const { uid = '' } = owner.object.metadata;
    const dependents = this.dependentsOf(owner.object);
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
    for (const { resource, object } of this.dependentsOf(owner.object)) {
      this.client.update(resource, object, (old) => {
        const owners = old.metadata.ownerReferences ?? [];
        return withOwners(
          old,
          owners.filter((reference) => reference.uid !== uid),
        );
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

function withOwners(object: ApiObject, ownerReferences: OwnerReference[]): ApiObject {
  const metadata = without(object.metadata, 'ownerReferences');
  return { ...object, metadata: { ...metadata, ...(ownerReferences.length > 0 && { ownerReferences }) } };
}

/** Returns whether an object will be deleted after its dependents. */
function isDeletingDependents({ metadata }: ApiObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FOREGROUND) === true;
}

/** Returns the propagation policy set by the finalizers of an object. */
function ownPolicy({ metadata: { finalizers = [] } }: ApiObject): DeleteOptions['propagationPolicy'] {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

/** Returns whether a deleted object waits for the garbage collector. */
function isHeld({ metadata }: ApiObject): boolean {
  const finalizers = metadata.finalizers ?? [];
  return metadata.deletionTimestamp !== undefined && (finalizers.includes(FOREGROUND) || finalizers.includes(ORPHAN));
}
