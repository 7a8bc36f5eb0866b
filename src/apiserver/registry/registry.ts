import { randomUUID } from 'node:crypto';
import { deepEqual } from '../../base/deep-equal.js';
import { formatTime } from '../../base/timestamp.js';
import type { Clock } from '../../base/clock.js';
import { keyOf } from '../../api/object-key.js';
import { NO_ADMISSION, type Admission } from '../admission/admission.js';
import { FieldManager } from '../apply/field-manager.js';
import { PathSet } from '../apply/path-set.js';
import {
  alreadyExists,
  conflict,
  generateNameConflict,
  invalid,
  notFound,
  StatusError,
} from '../errors/status-error.js';
import type { ApiObject, Metadata } from '../object.js';
import type { PrepareContext, Resource } from '../resources/resource.js';
import { DecodeReport } from '../schema/decode-report.js';
import type { ObjectStore } from '../storage/object-store.js';
import { StoredObject } from '../storage/stored-object.js';
import { dnsSubdomainErrors } from '../../api/names.js';
import { validateKubernetesFinalizers, validateObjectMeta, type NameErrors } from '../validation/object-meta.js';
import { generatedName } from './generated-name.js';
import { metadataChangeErrors } from './metadata-change.js';
import { hasNamespaceFinalizers } from './namespace-finalizers.js';
import { resetFieldsOf } from './subresource-write.js';
import { checkIdentity, prepareUpdate } from './prepare-update.js';
import type { UserInfo, WriteOptions } from './write-options.js';

const NAME_ATTEMPTS = 8;
const STATUS = PathSet.fromFieldsV1({ 'f:status': {} });

/** What an update is made from: the object as it is, in the resource's own version. */
export type Transform = (old: ApiObject) => ApiObject;

export interface UpdateOptions extends WriteOptions {
  readonly subresource?: string;
  /** The caller kept managedFields itself, as server-side apply does. */
  readonly isApply?: boolean;
  /** What admission is shown of the object: that of a subresource with a kind of its own. */
  readonly view?: ((object: ApiObject) => ApiObject) | undefined;
  /** Whether a missing object may be made; called for its content. */
  readonly create?: (() => ApiObject) | undefined;
}

/** Creates and changes objects of any resource by the rules all resources share. */
export class Registry {
  admission: Admission = NO_ADMISSION;

  constructor(
    readonly store: ObjectStore,
    readonly clock: Clock,
  ) {}

  /** The present, as metav1.Time. */
  now(): string {
    return formatTime(this.clock.now());
  }

  get(resource: Resource, name: string, namespace: string | undefined): StoredObject {
    const stored = this.store.get(resource.storage, keyOf(name, namespace));
    if (!stored) throw notFound(resource, name);
    return stored;
  }

  /** Stores a new object. `object` is the caller's to give away. */
  create(
    resource: Resource,
    object: ApiObject,
    options: WriteOptions & { isApply?: boolean; subresource?: string },
  ): StoredObject {
    const { strategy } = resource;
    if (object.metadata.resourceVersion)
      throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
    options.calls?.startFrom(0);
    resource.codec.applyDefaults(object);
    wipeSystemFields(object.metadata);
    const managed =
      options.isApply === true
        ? object
        : this.fieldManager(resource, '').update(undefined, object, options.fieldManager);
    const request = { ...options, operation: 'CREATE', resource, subresource: '' } as const;
    const mutated = this.admission.mutate({ ...request, object: managed });
    const next: ApiObject = { ...mutated, metadata: { ...mutated.metadata } };
    this.prepareMetadata(resource, next, options);
    strategy.prepareForCreate?.(next, this.context(options));
    this.validateNew(resource, next);
    this.admission.validate({ ...request, object: next });
    options.warnings?.push(...(strategy.warnings?.(next, undefined) ?? []));
    return this.storeNew(resource, next, options);
  }

  private validateNew(resource: Resource, next: ApiObject): void {
    const { strategy } = resource;
    const nameErrors: NameErrors = (name, isPrefix) =>
      strategy.validateName?.(name, isPrefix) ?? dnsSubdomainErrors(name);
    const metadata = validateObjectMeta(next, resource.namespaced, nameErrors);
    // Finalizers of custom resources may have any name; the client is warned.
    const { metadataChecks } = strategy;
    const hasOwnFinalizers = resource.isCustom || metadataChecks === 'none' || metadataChecks === 'generic';
    const finalizers = hasOwnFinalizers ? [] : validateKubernetesFinalizers(next.metadata);
    const own = strategy.validate?.(next) ?? [];
    const errors = metadataChecks === 'none' && own.length > 0 ? own : [...metadata, ...finalizers, ...own];
    if (errors.length > 0) throw invalid(resource, next.metadata.name, errors);
  }

  private storeNew(resource: Resource, next: ApiObject, options: WriteOptions): StoredObject {
    const { generateName = '', namespace } = next.metadata;
    let key = keyOf(next.metadata.name, namespace);
    for (let attempt = 1; generateName !== '' && this.store.get(resource.storage, key); attempt++) {
      if (attempt === NAME_ATTEMPTS) throw generateNameConflict(resource, next.metadata.name);
      next.metadata.name = generatedName(generateName);
      key = keyOf(next.metadata.name, namespace);
    }
    const taken = this.store.get(resource.storage, key);
    if (taken) throw alreadyExists(resource, next.metadata.name, taken.object.metadata.deletionTimestamp !== undefined);
    const stored = resource.codec.toStorage(next, options.calls);
    return options.dryRun === true ? new StoredObject(key, stored, 0) : this.store.put(resource.storage, key, stored);
  }

  private context({ dryRun = false, subresource = '' }: UpdateOptions): PrepareContext {
    return { store: this.store, dryRun, subresource };
  }

  private prepareMetadata(resource: Resource, next: ApiObject, { calls }: WriteOptions): void {
    const { metadata } = next;
    const { generateName = '' } = metadata;
    const newName = (): string => generatedName(generateName);
    wipeSystemFields(metadata);
    if (generateName !== '' && !metadata.name) metadata.name = calls ? calls.once('name', newName) : newName();
    metadata.uid = calls ? calls.once('uid', randomUUID) : randomUUID();
    metadata.creationTimestamp = this.now();
    if (resource.strategy.hasGeneration === true) metadata.generation = 1;
    if (!resource.hasStatus || resource.strategy.acceptsStatus === true) return;
    const { status } = resource.codec.empty();
    if (status === undefined) delete next.status;
    else next.status = status;
  }

  /**
   * Changes an object.
   *
   * `transform` gets the present object and returns a whole new one; it may throw to refuse.
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
    checkIdentity(resource, wanted, old, options.isApply === true);
    const subresource = options.subresource ?? '';
    resource.codec.applyDefaults(wanted);
    const managed =
      options.isApply === true
        ? wanted
        : this.fieldManager(resource, subresource).update(old, wanted, options.fieldManager);
    const next = this.admitUpdate(resource, managed, old, options);
    options.warnings?.push(...(resource.strategy.warnings?.(next, old) ?? []));
    return this.storeChange(resource, key, present, next, old, options);
  }

  /** The update as admission and the kind want it, and checked by both. */
  private admitUpdate(resource: Resource, managed: ApiObject, old: ApiObject, options: UpdateOptions): ApiObject {
    const { view, subresource = '' } = options;
    const shown = { ...options, operation: 'UPDATE', resource, old: view?.(old) ?? old, subresource } as const;
    const mutated = view ? managed : this.admission.mutate({ ...shown, object: managed });
    const next: ApiObject = { ...mutated, metadata: { ...mutated.metadata } };
    prepareUpdate(resource, next, old, subresource, this.context(options));
    this.validateChange(resource, next, old, subresource);
    this.admission.validate({ ...shown, object: view?.(next) ?? next });
    return next;
  }

  private createInstead(resource: Resource, name: string, options: UpdateOptions): StoredObject {
    const object = options.create?.();
    if (!object) throw notFound(resource, name);
    delete object.metadata.resourceVersion; // an update that comes to a creation may name any
    return this.create(resource, object, options);
  }

  private validateChange(resource: Resource, next: ApiObject, old: ApiObject, subresource: string): void {
    const { strategy } = resource;
    const errors = [
      ...metadataChangeErrors(resource, next, old, subresource),
      ...(strategy.validateUpdate?.(next, old, subresource) ?? strategy.validate?.(next) ?? []),
    ];
    if (errors.length > 0) throw invalid(resource, next.metadata.name, errors);
  }

  private storeChange(
    resource: Resource,
    key: string,
    present: StoredObject,
    next: ApiObject,
    old: ApiObject,
    { dryRun = false, calls }: UpdateOptions,
  ): StoredObject {
    const stored = resource.codec.toStorage(next, calls);
    if (isFinished(next) && !(resource.storage === 'namespaces' && hasNamespaceFinalizers(next))) {
      if (dryRun) return new StoredObject(key, stored, present.revision);
      // Watches are told of the last state there was, the client of the one it asked for.
      const { revision } = this.store.remove(resource.storage, key) ?? present;
      resource.strategy.afterDelete?.(stored);
      return new StoredObject(key, stored, revision);
    }
    if (deepEqual(withoutTimes(next, old), old)) return present;
    return dryRun ? new StoredObject(key, stored, present.revision) : this.store.put(resource.storage, key, stored);
  }

  /** Server-side apply: creates or changes the object. */
  apply(
    resource: Resource,
    config: ApiObject,
    options: UpdateOptions & { force: boolean },
  ): { stored: StoredObject; isNew: boolean } {
    const { name, namespace } = config.metadata;
    const present = this.store.get(resource.storage, keyOf(name, namespace));
    const subresource = options.subresource ?? '';
    const manager = this.fieldManager(resource, subresource);
    const { fieldManager, force } = options;
    if (present) {
      const transform: Transform = (old) => {
        const { resourceVersion, uid } = config.metadata;
        const applied = canonical(resource, manager.apply(old, config, fieldManager, force));
        return {
          ...applied,
          metadata: { ...applied.metadata, ...(resourceVersion && { resourceVersion }), ...(uid && { uid }) },
        };
      };
      const stored = this.update(resource, name, namespace, transform, { ...options, isApply: true });
      return { stored, isNew: false };
    }
    if (subresource !== '' && resource.strategy.allowsCreateOnUpdate !== true) throw notFound(resource, name);
    if (config.metadata.uid)
      throw conflict(
        resource,
        name,
        `uid mismatch: the provided object specified uid ${config.metadata.uid}, and no existing object was found`,
      );
    const empty = {
      ...resource.codec.empty(),
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { name: '' },
    } as unknown as ApiObject;
    const created = canonical(resource, manager.apply(empty, config, fieldManager, force));
    return { stored: this.create(resource, created, { ...options, isApply: true }), isNew: true };
  }

  fieldManager(resource: Resource, subresource: string): FieldManager {
    return new FieldManager({
      type: resource.codec.mergeType,
      apiVersion: resource.apiVersion,
      subresource,
      reset: resetFieldsOf(resource, subresource, STATUS),
      now: this.now(),
      empty: resource.codec.empty(),
    });
  }
}

/** What a client cannot set on a new object. */
function wipeSystemFields(metadata: Metadata): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
}

/** Whether a deletion that began has nothing left to wait for. */
function isFinished({ metadata }: ApiObject): boolean {
  const { finalizers = [], deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}

/** A merge leaves null where it emptied a field; the kind knows what that comes to. */
function canonical(resource: Resource, merged: ApiObject): ApiObject {
  return resource.codec.decode(merged, new DecodeReport());
}

/** The object with the old managedFields where they differ in nothing but their times. */
function withoutTimes(next: ApiObject, old: ApiObject): ApiObject {
  const [entries, former] = [next.metadata.managedFields ?? [], old.metadata.managedFields ?? []];
  const same =
    entries.length === former.length &&
    entries.every((entry, index) => deepEqual({ ...entry, time: '' }, { ...former[index], time: '' }));
  return same && former.length > 0 ? { ...next, metadata: { ...next.metadata, managedFields: former } } : next;
}

/** The server's own hand. */
export const SYSTEM_USER: UserInfo = { name: 'system:apiserver', groups: ['system:masters'] };
