import { randomUUID } from 'node:crypto';
import { deepEqual } from '../../base/deep-equal.js';
import { formatTime } from '../../base/timestamp.js';
import type { Clock } from '../../base/clock.js';
import { generatedName } from '../../api/objects/generated-name.js';
import { keyOf } from '../../api/objects/object-key.js';
import type { GrantCheck } from './grant-check.js';
import { NO_ADMISSION, type Admission } from './admission.js';
import { withManagedFields } from '../apply/field-manager.js';
import { alreadyExists, notFound, StatusError } from '../errors/status-error.js';
import { without, type ApiObject, type Metadata } from '../objects/api-object.js';
import type { RemoteCalls } from '../remote/remote-calls.js';
import type { PrepareContext, Resource } from '../resources/resource.js';
import type { ObjectStore } from '../storage/object-store.js';
import { StoredObject } from '../storage/stored-object.js';
import { hasNamespaceFinalizers, isFinished } from './deletion-state.js';
import { groupKindOf, assertValidChange, assertValidNew } from './object-validation.js';
import { AFTER_ADMISSION, withoutRepeatedOwners } from './owner-references.js';
import { prepareUpdate } from './prepare-update.js';
import { keepManagedTimes, putWithinLimit, resourceFieldManager } from './resource-field-manager.js';
import { ScaleManagers } from './scale-managers.js';
import { assertIdentity, assertPathSegment, assertUid, assertVersion, hasVersion } from './write-identity.js';
import type { CreateOptions, Transform, UpdateOptions } from './update-options.js';
import type { WriteOptions } from './write-options.js';
import type { UserInfo } from '../objects/user-info.js';

const NAME_ATTEMPTS = 8;

/**
 * Creates and updates objects of any resource by the rules that all resources share, like apiserver's generic registry.
 *
 * Order of a write: defaults, managed fields, mutating admission, the check for escalation of permissions, preparation by
 * the kind, validation, validating admission, warnings, storage. An update also checks uid and resourceVersion, before
 * defaults.
 * Concurrency: a write reads and stores in one synchronous step. If it needs the response of a webhook, it throws
 * CallPending; the caller retries it when the response has arrived, so nothing before storage may have an effect.
 * Idempotence: an update without changes stores nothing and returns the present object. Creating an object that exists
 * throws StatusError 409. A dry run does everything but storing.
 * Ownership: a write takes over the object it is given and may change it. Returned objects are stored ones, in the form
 * of the storage version, and must not be changed.
 * Errors: StatusError with the code and message of the real server; then nothing is stored.
 */
export class Registry {
  /** Objects with a stored form that differs from the form returned by reads. The next write is always stored. */
  readonly differsFromStorage = new WeakSet<ApiObject>();

  constructor(
    readonly store: ObjectStore,
    readonly clock: Clock,
    readonly admission: Admission = NO_ADMISSION,
    private readonly escalation?: GrantCheck,
  ) {}

  /** The current time as metav1.Time; the same in all attempts of a write, so that webhooks receive what is stored. */
  now(calls?: RemoteCalls): string {
    const now = (): string => formatTime(this.clock.now());
    return calls ? calls.once('time', now) : now();
  }

  get(resource: Resource, name: string, namespace: string | undefined): StoredObject {
    const stored = this.store.get(resource.storage, keyOf(name, namespace));
    if (stored) return stored;
    assertPathSegment(name);
    throw notFound(resource, name);
  }

  /** Stores a new object. Takes ownership of `object` and may change it. */
  create(resource: Resource, object: ApiObject, options: CreateOptions): StoredObject {
    const { strategy } = resource;
    const isNamed = Boolean(object.metadata.name);
    options.calls?.startFrom(0);
    if (options.isUpdate === true) assertVersion(object);
    else wipeSystemFields(object.metadata);
    resource.codec.applyDefaults(object);
    const managed =
      options.isApply === true
        ? object
        : resourceFieldManager(resource, options, this.now(options.calls)).update(
            undefined,
            object,
            options.fieldManager,
          );
    const request = { ...options, operation: 'CREATE', resource, subresource: '' } as const;
    const mutated = this.admission.mutate({ ...request, object: managed });
    const next: ApiObject = { ...mutated, metadata: this.admittedMetadata(mutated, options) };
    this.assertGrant(resource, next, options);
    this.prepareMetadata(resource, next, options);
    strategy.prepareForCreate?.(next, this.context(options));
    assertValidNew(resource, next);
    this.admission.validate({ ...request, object: next });
    options.warnings?.push(...(strategy.warnings?.(next, undefined, '') ?? []));
    return this.storeNew(resource, next, { ...options, isNamed });
  }

  private admittedMetadata({ metadata }: ApiObject, { warnings }: WriteOptions): Metadata {
    return { ...withoutRepeatedOwners(metadata, warnings, AFTER_ADMISSION) };
  }

  private assertGrant(resource: Resource, object: ApiObject, { user, isUpdate = false }: CreateOptions): void {
    this.escalation?.assertAllowed({ resource, object, user, name: isUpdate ? object.metadata.name : '' });
  }

  private storeNew(resource: Resource, next: ApiObject, options: CreateOptions & { isNamed: boolean }): StoredObject {
    const { dryRun = false, isUpdate = false, isNamed, calls } = options;
    // The check of etcd3's store, which a dry run skips.
    if (!dryRun && !isUpdate && hasVersion(next))
      throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
    const key = isNamed ? keyOf(next.metadata.name, next.metadata.namespace) : this.freeKey(resource, next);
    const taken = this.store.get(resource.storage, key);
    if (taken) {
      const isGenerated = Boolean(next.metadata.generateName);
      const isBeingDeleted = taken.object.metadata.deletionTimestamp !== undefined;
      throw alreadyExists(resource, next.metadata.name, { isGenerated, isBeingDeleted });
    }
    const stored = resource.codec.toStorage(settled(resource, storable(next, dryRun)), calls);
    return dryRun ? new StoredObject(key, stored, 0) : this.put(resource, key, stored, options);
  }

  private put({ storage }: Resource, key: string, stored: ApiObject, options: CreateOptions): StoredObject {
    const store = (object: ApiObject): StoredObject => this.store.put(storage, key, object);
    const put = options.isApply === true ? store(stored) : putWithinLimit(stored, store);
    if (options.storedMetadata?.()) this.differsFromStorage.add(put.object);
    return put;
  }

  /** Returns the object's key. A generated name that is already taken is replaced by a new one. */
  private freeKey(resource: Resource, next: ApiObject): string {
    const { generateName = '', namespace } = next.metadata;
    let key = keyOf(next.metadata.name, namespace);
    for (let attempt = 1; attempt < NAME_ATTEMPTS && this.store.get(resource.storage, key); attempt++) {
      next.metadata.name = newNameOf(resource, generateName);
      key = keyOf(next.metadata.name, namespace);
    }
    return key;
  }

  private context({ dryRun = false, subresource = '', user }: UpdateOptions): PrepareContext {
    return { store: this.store, dryRun, subresource, user };
  }

  private prepareMetadata(resource: Resource, next: ApiObject, { calls }: WriteOptions): void {
    const { metadata } = next;
    const { generateName = '' } = metadata;
    const newName = (): string => newNameOf(resource, generateName);
    if (!metadata.name) metadata.name = generateName === '' ? '' : calls ? calls.once('name', newName) : newName();
    metadata.uid = calls ? calls.once('uid', randomUUID) : randomUUID();
    metadata.creationTimestamp = this.now(calls);
    if (resource.strategy.hasGeneration === true) metadata.generation = 1;
    if (!resource.hasStatus || resource.strategy.acceptsStatus === true) return;
    const { status } = resource.codec.empty();
    if (status === undefined) delete next.status;
    else next.status = status;
  }

  /**
   * Updates an object. `transform` gets the current object and returns a complete new one; errors it throws reject the
   * update.
   */
  update(
    resource: Resource,
    name: string,
    namespace: string | undefined,
    transform: Transform,
    options: UpdateOptions,
  ): StoredObject {
    const key = keyOf(name, namespace);
    const present = this.store.get(resource.storage, key);
    if (!present) return this.createInstead(resource, name, options);
    options.calls?.startFrom(present.revision);
    const old = resource.codec.fromStorage(present.object);
    const wanted = transform(old);
    assertIdentity(resource, wanted, old, options);
    resource.codec.applyDefaults(wanted);
    const managed = options.isApply === true ? wanted : this.withManagers(resource, old, wanted, options);
    const next = this.admitUpdate(resource, managed, old, options);
    options.warnings?.push(...(resource.strategy.warnings?.(next, old, options.subresource ?? '') ?? []));
    return this.storeChange(resource, key, present, next, old, options);
  }

  /** Returns the update after mutating admission and preparation by the kind, validated by both. */
  private admitUpdate(resource: Resource, managed: ApiObject, old: ApiObject, options: UpdateOptions): ApiObject {
    const { view, subresource = '' } = options;
    const shown = { ...options, operation: 'UPDATE', resource, old: view?.(old) ?? old, subresource } as const;
    const mutated = view ? managed : this.admission.mutate({ ...shown, object: managed });
    const next: ApiObject = { ...mutated, metadata: this.admittedMetadata(mutated, options) };
    this.escalation?.assertAllowed({ resource, object: next, old, user: options.user, name: old.metadata.name });
    const named = groupKindOf(resource, next);
    prepareUpdate(resource, next, old, subresource, this.context(options));
    assertValidChange(resource, { next, old, subresource, named });
    this.admission.validate({ ...shown, object: view?.(next) ?? next });
    return next;
  }

  private withManagers(resource: Resource, old: ApiObject, wanted: ApiObject, options: UpdateOptions): ApiObject {
    const { subresource = '', fieldManager } = options;
    const isKnown = wanted.kind === resource.kind && wanted.apiVersion === resource.apiVersion;
    if (!isKnown) return withManagedFields(wanted, []);
    if (subresource === 'scale' && resource.scale)
      return new ScaleManagers(resource, resource.scale, this.now(options.calls)).update(old, wanted, fieldManager);
    return resourceFieldManager(resource, options, this.now(options.calls)).update(old, wanted, fieldManager);
  }

  private createInstead(resource: Resource, name: string, options: UpdateOptions): StoredObject {
    assertPathSegment(name);
    const object = options.create?.();
    if (!object) throw notFound(resource, name);
    const { uid, ...metadata } = object.metadata;
    if (options.isReplacement === true) assertUid(resource, metadata, uid, options.dryRun);
    return this.create(resource, object, { ...options, isUpdate: true });
  }

  private storeChange(
    resource: Resource,
    key: string,
    present: StoredObject,
    next: ApiObject,
    old: ApiObject,
    options: UpdateOptions,
  ): StoredObject {
    const { codec, storage } = resource;
    const { dryRun = false, calls, storedMetadata } = options;
    const isHeld = storage === 'namespaces' && hasNamespaceFinalizers(next);
    if (isFinished(next.metadata) && !isHeld) return this.storeLast(resource, present, next, options);
    const kept = settled(resource, storable(next, dryRun));
    const isPlain = storedMetadata?.() === undefined && !this.differsFromStorage.has(present.object);
    if (isPlain && deepEqual(keepManagedTimes(kept, old), old)) return present;
    const stored = codec.toStorage(kept, calls);
    return dryRun ? new StoredObject(key, stored, present.revision) : this.put(resource, key, stored, options);
  }

  /**
   * Deletes an object after an update that removed its last finalizer. Watches receive the last stored state; the
   * client receives the state it requested, which was never decoded from the store.
   */
  private storeLast(resource: Resource, present: StoredObject, next: ApiObject, options: UpdateOptions): StoredObject {
    const { codec, storage, strategy } = resource;
    const stored = codec.toStorage(codec.encode(next), options.calls);
    const shown = {
      ...stored,
      metadata: { ...stored.metadata, ...without(options.storedMetadata?.() ?? {}, 'finalizers') },
    };
    if (options.dryRun === true) return new StoredObject(present.key, shown, present.revision);
    const { revision } = this.store.remove(storage, present.key) ?? present;
    strategy.afterDelete?.(stored);
    return new StoredObject(present.key, shown, revision);
  }
}

/** Removes selfLink, except in a dry run, which ends before the real server removes it. */
function storable(object: ApiObject, dryRun: boolean): ApiObject {
  if (!dryRun) Reflect.deleteProperty(object.metadata, 'selfLink');
  return object;
}

/** Returns the object as the store returns it: normalized, with the defaults of the storage version. */
function settled({ codec, isCustom, version, storageVersion }: Resource, object: ApiObject): ApiObject {
  const kept = codec.settle(object);
  if (!isCustom || version === storageVersion) codec.applyDefaults(kept);
  return kept;
}

/**
 * Removes fields that clients cannot set when they create an object: rest.WipeObjectMetaSystemFields. Not called for an
 * update that creates.
 */
function wipeSystemFields(metadata: Metadata): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  Reflect.deleteProperty(metadata, 'selfLink');
}

/** The user of writes that the server makes itself. */
export const SYSTEM_USER: UserInfo = { name: 'system:apiserver', groups: ['system:masters'] };

/** Generates a name by the rules of the kind, or by the common rules. */
function newNameOf({ strategy }: Resource, base: string): string {
  return strategy.generateName?.(base) ?? generatedName(base);
}
