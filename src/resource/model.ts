import type { CacheIndex } from '../api/selection/cache-index.js';
import type { KindRef } from '../api/kinds/kind-ref.js';
import type { CustomResource } from './custom-resource.js';
import type { PrintColumn } from './decorators/print-column.js';
import type { SampleOptions } from './decorators/sample.js';
import type { ScaleOptions } from './decorators/scale.js';
import type { ClassModel, FieldModel } from './fields/value-model.js';
import type { ControllerSettings } from './kinds/controller-settings.js';
import type { DeclaredRule } from './kinds/declared-rule.js';
import type { DependentModel } from './kinds/dependents.js';
import type { FinalizerMethod } from './kinds/finalizers.js';
import type { Injection } from './kinds/injections.js';
import type { OwnedKind, WatchedKind } from './kinds/relations.js';
import type { VersionSettings } from './kinds/version-settings.js';
import type { SourceModel } from './triggers/source-models.js';
import type { TimerModel } from './triggers/timer-models.js';
import type { PolicyModel } from './webhooks/policy-model.js';
import type { WebhookModel } from './webhooks/webhook-model.js';

/**
 * The validated model of a class with `@Kind` or `@Controller({ for })`: everything that manifests, controllers and clients derive from the class.
 *
 * Guarantees: a model exists only for a class without errors. Defaults are filled in; options of base classes are merged.
 * It is frozen and never changes, so it can be shared; decorators that are applied later have no effect on it. Two models
 * of one class are equal but not identical.
 * Order: fields, print columns, owned and watched kinds, rules, finalizers and samples are in the order of the source,
 * those of base classes first.
 * Errors: reading a model never throws. `buildResourceModels` reports all errors of all classes in one ModelError.
 */
export interface ResourceModel<T extends CustomResource = CustomResource> {
  readonly target: new () => T;
  readonly className: string;
  readonly kind: KindRef<T>;
  /** The kind, or the part of it that is cached: see the option `cache` of `@Controller`. */
  readonly ownKind: KindRef;
  /** False for a class with `@Controller({ for })`: its kind is defined elsewhere, and its fields are unknown. */
  readonly definesKind: boolean;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Annotations of the CustomResourceDefinition. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Labels of the CustomResourceDefinition. */
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string | undefined;
  /**
   * True if the status is written after a reconcile. For a class with `@Kind`: if there is a status subresource, by
   * default when the class has a field `status`.
   */
  readonly hasStatus: boolean;
  /** The fields other than apiVersion, kind and metadata. */
  readonly fields: readonly FieldModel[];
  /** The model of the objects' schema. */
  readonly classModel: ClassModel;
  readonly version: VersionSettings;
  /** True if the class has a `reconcile` or `@Dependent` method; otherwise its kind is only defined. */
  readonly isReconciled: boolean;
  readonly printColumns: readonly PrintColumn[];
  /** Paths for field selectors. */
  readonly selectableFields: readonly string[];
  readonly scale: ScaleOptions | undefined;
  readonly controller: ControllerSettings;
  readonly owns: readonly OwnedKind[];
  readonly watches: readonly WatchedKind[];
  /** Declared by `@Index`. */
  readonly indexes: readonly CacheIndex[];
  /** Declared by `@Rbac`. */
  readonly rules: readonly DeclaredRule[];
  /** The `@Dependent` methods. */
  readonly dependents: readonly DependentModel[];
  readonly finalizers: readonly FinalizerMethod[];
  /** Declared by `@Inject`. */
  readonly injections: readonly Injection[];
  readonly samples: readonly SampleOptions[];
  /** Admission webhooks: the `@Mutate` and `@Validate` methods. */
  readonly webhooks: readonly WebhookModel[];
  /** Declared by `@Every`. */
  readonly timers: readonly TimerModel[];
  /** Declared by `@Source`. */
  readonly sources: readonly SourceModel[];
  /** The methods with `@Daemon`. */
  readonly daemons: readonly string[];
  /** Admission policies: the `@Policy` decorators. */
  readonly policies: readonly PolicyModel[];
}

/** An annotated class. */
export type ResourceClass = abstract new (...args: never[]) => object;
