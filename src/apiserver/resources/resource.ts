import type { FieldError } from '../../api/protocol/field-error.js';
import type { RemoteCalls } from '../remote/remote-calls.js';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import type { DecodeReport } from '../schema/decode-report.js';
import type { MergeType } from '../schema/merge-type.js';
import type { FieldVersions } from '../apply/field-versions.js';
import type { PathSet } from '../apply/path-set.js';
import type { ReplicasIn } from '../apply/scale-managed-fields.js';
import type { UserInfo } from '../objects/user-info.js';
import type { SelectableFields } from '../storage/field-query.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { TableColumn } from '../table/table-column.js';

/** Decodes, defaults, converts and merges objects of a kind and version. */
export interface Codec {
  /** Decodes a value; drops and reports unknown fields. The caller owns the result. */
  decode(value: JsonObject, report: DecodeReport): ApiObject;
  /** Normalizes a merged object to the form of a decoded one. */
  convert(value: JsonObject): ApiObject;
  /** Returns the encoded form of an object, without the empty lists and maps that its kind omits. */
  encode(object: ApiObject): ApiObject;
  /** Normalizes an object as a round trip through the store does, where empty lists and absent ones are the same. */
  settle(object: ApiObject): ApiObject;
  /** Applies defaults, in place. */
  applyDefaults(object: ApiObject): void;
  readonly mergeType: MergeType;
  /** Returns the other versions in which managers may own fields. */
  fieldVersions(calls: RemoteCalls | undefined): FieldVersions;
  /** Returns an object of the kind without any field set. */
  empty(): JsonObject;
  /**
   * Returns an empty object for bookmarks, with the fields that are always present in the real server's internal form.
   */
  bookmark(): JsonObject;
  /** True if list items have apiVersion and kind, as for custom resources but not built-in kinds. */
  readonly hasTypedItems: boolean;
  /** Converts a stored object to this version. */
  fromStorage(object: ApiObject, calls?: RemoteCalls): ApiObject;
  /** Converts stored objects in advance of `fromStorage`, if this needs a webhook. */
  prepare?(objects: readonly ApiObject[]): Promise<void>;
  /** Converts an object of this version to the stored form. */
  toStorage(object: ApiObject, calls?: RemoteCalls): ApiObject;
}

/** The context of preparing an object. */
export interface PrepareContext {
  readonly store: ObjectStore;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** The subresource that is written; empty for the main endpoint. */
  readonly subresource: string;
}

/** The kind-specific behavior of writes and reads. Methods may change only the object passed as `next`. */
export interface Strategy {
  prepareForCreate?(next: ApiObject, context: PrepareContext): void;
  prepareForUpdate?(next: ApiObject, old: ApiObject, subresource: string, context: PrepareContext): void;
  /**
   * Returns the object as the main endpoint shows it, if that differs from the stored form; subresources show the
   * stored form.
   */
  decorate?(object: ApiObject): ApiObject;
  validate?(object: ApiObject): FieldError[];
  validateUpdate?(next: ApiObject, old: ApiObject, subresource: string): FieldError[];
  /** Returns errors that prevent all other validation except `validateLast`. */
  typeErrors?(object: ApiObject): FieldError[];
  /** True if unqualified finalizers are allowed; Kubernetes' core kinds allow only standard ones. */
  readonly allowsAnyFinalizer?: boolean;
  /** Returns errors of checks that depend on the errors found before. */
  validateLast?(next: ApiObject, old: ApiObject | undefined, errors: readonly FieldError[]): FieldError[];
  /** Returns the warnings for a valid object. */
  warnings?(next: ApiObject, old: ApiObject | undefined, subresource: string): string[];
  /** Generates a name from `generateName`; default: appends five random characters. */
  generateName?(base: string): string;
  /** Returns the errors of the name, or of the generateName without its trailing dash. */
  validateName?(name: string, isPrefix: boolean): string[];
  /** Checks the preconditions of a deletion, for kinds with their own error. */
  assertDeletion?(
    old: ApiObject,
    preconditions: { uid?: string | undefined; resourceVersion?: string | undefined },
  ): void;
  /**
   * Returns the object with its deletion begun, for kinds that are always marked first; other options apply to the next
   * deletion request.
   */
  beginDeletion?(old: ApiObject, now: string): ApiObject;
  /** Called after an object was removed from the store. */
  afterDelete?(old: ApiObject): void;
  /** True if a new object keeps its status. */
  readonly acceptsStatus?: boolean;
  /** True if the metadata has a generation, which is incremented when the result of `specOf` changes. */
  readonly hasGeneration?: boolean;
  /** Returns the part that increments the generation when it changes; default: everything but metadata and status. */
  specOf?(object: ApiObject): unknown;
  /** True if a change between an empty and an absent list increments the generation, as with reflect.DeepEqual. */
  readonly distinguishesEmptyFromAbsent?: boolean;
  /**
   * The metadata validation of updates, besides the common checks: `change` (default) validates the change, `whole`
   * also the complete metadata, `generic` only the complete metadata. With `own`, `validateUpdate` does all of this, in
   * its own order.
   */
  readonly metadataChecks?: 'none' | 'change' | 'generic' | 'whole' | 'own';
  /** The propagation policy of deletions without one. */
  readonly defaultPropagation?: 'Orphan';
  /** The warning for deletions without a propagation policy. */
  readonly propagationWarning?: string;
  readonly allowsCreateOnUpdate?: boolean;
  readonly allowsUnconditionalUpdate?: boolean;
  /** Returns the grace period of a deletion in seconds; 0 removes the object immediately. */
  graceSeconds?(object: ApiObject, requested: number | undefined): number;
  /** Returns the paths that writes of a subresource never change. */
  resetFields?(subresource: string): PathSet | undefined;
}

/** A subresource, with its own kind. */
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: ReadonlySet<string>;
}

/** The paths of the replicas, status replicas and selector of a scalable kind. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  /** Returns the replicas path in a version of the kind. */
  readonly replicasIn: ReplicasIn;
  readonly statusReplicas: readonly string[];
  /** The path of the serialized selector in a custom resource. */
  readonly selectorPath?: readonly string[];
  /** Returns the serialized selector. */
  selector(object: ApiObject): string;
}

/** A resource in one version, as the router finds it. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<string>;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** The collection that stores it; all versions of a resource share it. */
  readonly storage: string;
  readonly codec: Codec;
  readonly strategy: Strategy;
  readonly selectableFields: SelectableFields;
  readonly columns: readonly TableColumn[];
  readonly scale?: ScalePaths;
  readonly isCustom: boolean;
  /** The storage version of a custom resource. */
  readonly storageVersion?: string;
  readonly hasStatus: boolean;
  /** The warning for requests of this version. */
  readonly deprecationWarning?: string | undefined;
}
