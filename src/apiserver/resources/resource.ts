import type { FieldError } from '../../api/field-error.js';
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

/** How objects of a kind and version are read, completed and merged. */
export interface Codec {
  /** Checks types, drops and reports what the kind does not know; the result is the caller's own. */
  decode(value: JsonObject, report: DecodeReport): ApiObject;
  /** An object that was merged rather than decoded in the form of the kind. */
  convert(value: JsonObject): ApiObject;
  /** The object as it is written down, without the empty lists and maps that its kind leaves out. */
  encode(object: ApiObject): ApiObject;
  /** The object as it comes back from the store, where an empty list and none are the same. */
  settle(object: ApiObject): ApiObject;
  /** Fills in defaults, in place. */
  applyDefaults(object: ApiObject): void;
  readonly mergeType: MergeType;
  /** The other versions that fields may be owned in. */
  fieldVersions(calls: RemoteCalls | undefined): FieldVersions;
  /** An object of the kind without any field set. */
  empty(): JsonObject;
  /** An empty object as it comes out of the real server's own form, where some fields are never absent. */
  bookmark(): JsonObject;
  /** Custom resources carry apiVersion and kind in list items, built-in kinds do not. */
  readonly hasTypedItems: boolean;
  /** The stored object in this version. */
  fromStorage(object: ApiObject, calls?: RemoteCalls): ApiObject;
  /** Converts stored objects ahead of `fromStorage`, where that takes a webhook. */
  prepare?(objects: readonly ApiObject[]): Promise<void>;
  /** An object of this version as it is stored. */
  toStorage(object: ApiObject, calls?: RemoteCalls): ApiObject;
}

/** What a kind may ask of the server while it prepares an object. */
export interface PrepareContext {
  readonly store: ObjectStore;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** The endpoint written to. */
  readonly subresource: string;
}

/** What a kind does beyond what every kind does. Methods change only objects they are given as `next`. */
export interface Strategy {
  prepareForCreate?(next: ApiObject, context: PrepareContext): void;
  prepareForUpdate?(next: ApiObject, old: ApiObject, subresource: string, context: PrepareContext): void;
  /** The object as its endpoint shows it, where that is not as it is stored; subresources show it as it is. */
  decorate?(object: ApiObject): ApiObject;
  validate?(object: ApiObject): FieldError[];
  validateUpdate?(next: ApiObject, old: ApiObject, subresource: string): FieldError[];
  /** Errors after which only `validateLast` looks at an object. */
  typeErrors?(object: ApiObject): FieldError[];
  /** Whether finalizers without a domain may be any; Kubernetes' core kinds know which there are. */
  readonly allowsAnyFinalizer?: boolean;
  /** What is checked in the light of all errors found before. */
  validateLast?(next: ApiObject, old: ApiObject | undefined, errors: readonly FieldError[]): FieldError[];
  /** What to say of an object that is accepted. */
  warnings?(next: ApiObject, old: ApiObject | undefined, subresource: string): string[];
  /** Makes a name of `generateName`; default: five random characters behind it. */
  generateName?(base: string): string;
  /** Checks the name, or the generateName with its dash stripped. */
  validateName?(name: string, isPrefix: boolean): string[];
  /** Refuses a deletion by its preconditions, where the kind has its own words. */
  checkDeletion?(
    old: ApiObject,
    preconditions: { uid?: string | undefined; resourceVersion?: string | undefined },
  ): void;
  /** The object with its deletion begun, where it is always marked first; what else the options want comes with the next. */
  beginDeletion?(old: ApiObject, now: string): ApiObject;
  /** Runs after an object left the store. */
  afterDelete?(old: ApiObject): void;
  /** Whether a new object may come with its status. */
  readonly acceptsStatus?: boolean;
  /** Whether the metadata has a generation, moved by what `specOf` returns. */
  readonly hasGeneration?: boolean;
  /** What moves the generation; by default everything but metadata and status. */
  specOf?(object: ApiObject): unknown;
  /** Whether an empty list in place of none moves the generation, as by reflect.DeepEqual. */
  readonly tellsEmptyFromNone?: boolean;
  /**
   * Which checks of metadata its updates make besides the common ones: of the change, as by default, of the whole too,
   * or of the whole alone, as by `generic`; with `own` its `validateUpdate` makes them, where their order is another.
   */
  readonly metadataChecks?: 'none' | 'change' | 'generic' | 'whole' | 'own';
  /** What becomes of dependents when a deletion does not say. */
  readonly defaultPropagation?: 'Orphan';
  /** Said to whoever deletes without saying. */
  readonly propagationWarning?: string;
  readonly allowsCreateOnUpdate?: boolean;
  readonly allowsUnconditionalUpdate?: boolean;
  /** Seconds of grace a deletion leaves; 0 removes at once. */
  graceSeconds?(object: ApiObject, requested: number | undefined): number;
  /** Paths a subresource's writes never touch. */
  resetFields?(subresource: string): PathSet | undefined;
}

/** A subresource, by its own kind. */
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: ReadonlySet<string>;
}

/** Where spec and status replicas of a scalable kind stand. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  /** Where they stand in the versions of the kind. */
  readonly replicasIn: ReplicasIn;
  readonly statusReplicas: readonly string[];
  /** Where a custom resource keeps the serialised selector. */
  readonly selectorPath?: readonly string[];
  /** The serialised selector. */
  selector(object: ApiObject): string;
}

/** A resource of one version, as the router finds it. */
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
  /** The collection that holds it; versions of one resource share it. */
  readonly storage: string;
  readonly codec: Codec;
  readonly strategy: Strategy;
  readonly selectableFields: SelectableFields;
  readonly columns: readonly TableColumn[];
  readonly scale?: ScalePaths;
  readonly isCustom: boolean;
  /** The version a custom resource is stored in. */
  readonly storageVersion?: string;
  readonly hasStatus: boolean;
  /** Said to whoever uses the version. */
  readonly deprecationWarning?: string | undefined;
}
