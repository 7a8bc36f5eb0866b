import { KIND_REF, type KindRef } from '../api/kind-ref.js';
import { ClassModels } from './fields/class-models.js';
import { controllerSettings, type ControllerSettings } from './kinds/controller-settings.js';
import { assertSingleInstance } from './copies.js';
import type { CustomResource } from './custom-resource.js';
import { CONTROLLER } from './decorators/controller.js';
import { KIND, type KindOptions } from './decorators/kind.js';
import type { PrintColumn } from './decorators/print-column.js';
import type { ScaleOptions } from './decorators/scale.js';
import { SAMPLE, type SampleOptions } from './decorators/sample.js';
import { describeClass } from './doc-comments.js';
import type { DeclaredRule } from './kinds/declared-rule.js';
import { finalizersOf, type FinalizerMethod } from './kinds/finalizers.js';
import { injectionsOf, type Injection } from './kinds/injections.js';
import { kindLocation } from './kinds/kind-location.js';
import { collectKind, kindNames } from './kinds/kind-names.js';
import { inheritedMetadata, ownMetadata } from './metadata.js';
import { Diagnostics } from './diagnostics.js';
import { isCommonField } from './fields/common-fields.js';
import { printColumnsOf } from './kinds/print-columns.js';
import { collectRootRules } from './kinds/root-rules.js';
import { scaleOf } from './kinds/scale.js';
import { selectableFieldsOf } from './kinds/selectable-fields.js';
import { collectVersions } from './kinds/versions.js';
import { versionSettings, type VersionSettings } from './kinds/version-settings.js';
import { collectReconciler, isReconciled } from './kinds/reconciler-class.js';
import { Relations, type OwnedKind, type WatchedKind } from './kinds/relations.js';
import { collectSamples } from './kinds/samples.js';
import { collectUniqueness } from './kinds/uniqueness.js';
import type { ClassModel, FieldModel } from './fields/value-model.js';
import type { WebhookModel } from './webhooks/webhook-model.js';
import { collectConversions } from './conversion/collect-conversions.js';
import { collectWebhookVersions, webhookModels } from './webhooks/webhook-models.js';

/** The validated model of a class with `@Kind`, with defaults filled in. */
export interface ResourceModel<T extends CustomResource = CustomResource> {
  readonly target: new () => T;
  readonly className: string;
  readonly kind: KindRef<T>;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Annotations of the CustomResourceDefinition. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Labels of the CustomResourceDefinition. */
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string | undefined;
  /** True if there is a status subresource; by default when the class has a field `status`. */
  readonly hasStatus: boolean;
  /** The fields other than apiVersion, kind and metadata. */
  readonly fields: readonly FieldModel[];
  /** The model of the objects' schema. */
  readonly classModel: ClassModel;
  readonly version: VersionSettings;
  /** True if the class has a `reconcile` method; otherwise its kind is only defined. */
  readonly isReconciled: boolean;
  readonly printColumns: readonly PrintColumn[];
  /** Paths for field selectors. */
  readonly selectableFields: readonly string[];
  readonly scale: ScaleOptions | undefined;
  readonly controller: ControllerSettings;
  readonly owns: readonly OwnedKind[];
  readonly watches: readonly WatchedKind[];
  /** Declared by `@Rbac`. */
  readonly rules: readonly DeclaredRule[];
  readonly finalizers: readonly FinalizerMethod[];
  /** Declared by `@Inject`. */
  readonly injections: readonly Injection[];
  readonly samples: readonly SampleOptions[];
  /** Admission webhooks: the `@Mutate` and `@Validate` methods. */
  readonly webhooks: readonly WebhookModel[];
}

/** An annotated class. */
export type ResourceClass = abstract new (...args: never[]) => object;

/**
 * Builds the models of annotated classes.
 *
 * @throws ModelError with the diagnostics of all classes, each with a hint.
 */
export function buildResourceModels(classes: readonly ResourceClass[]): ResourceModel[] {
  assertSingleInstance();
  const diagnostics = new Diagnostics();
  const classModels = new ClassModels(diagnostics);
  const models = classes.flatMap((target) => tryBuild(target, classModels, diagnostics) ?? []);
  collectUniqueness(models, diagnostics);
  collectVersions(models, diagnostics);
  collectWebhookVersions(models, diagnostics);
  collectConversions(models, diagnostics);
  diagnostics.throwIfAny();
  return models;
}

/**
 * The model of one class, which may be one of several versions of its kind.
 *
 * @throws ModelError listing every error in the class.
 */
export function buildVersionModel(target: ResourceClass): ResourceModel {
  assertSingleInstance();
  const diagnostics = new Diagnostics();
  const model = tryBuild(target, new ClassModels(diagnostics), diagnostics);
  diagnostics.throwIfAny();
  if (!model) throw new TypeError(`no model of ${target.name}`);
  return model;
}

/** Adds a diagnostic for a decorator with an argument of the wrong type, which only a type check reports precisely. */
function tryBuild(
  target: ResourceClass,
  classModels: ClassModels,
  diagnostics: Diagnostics,
): ResourceModel | undefined {
  try {
    return build(target, classModels, diagnostics);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    diagnostics.add(
      { target },
      `a decorator has an invalid argument: ${error.message}`,
      'check the types: npx tsc --noEmit',
    );
    return undefined;
  }
}

function build(target: ResourceClass, classModels: ClassModels, diagnostics: Diagnostics): ResourceModel | undefined {
  const [options, ...others] = ownMetadata(KIND, target);
  if (!options) {
    diagnostics.add({ target }, 'has no @Kind', `@Kind({ group: 'apps.example.com', version: 'v1' })`);
    return undefined;
  }
  if (others.length > 0)
    diagnostics.add(kindLocation(target), 'has several @Kind decorators', 'use one class for each kind');
  const kind = (target as unknown as { [KIND_REF]: KindRef<CustomResource> })[KIND_REF];
  collectKind(target, kind, options, diagnostics);
  collectReconciler(target, diagnostics);
  return assemble(target, kind, options, classModels.root(target), diagnostics);
}

function assemble(
  target: ResourceClass,
  kind: KindRef<CustomResource>,
  options: KindOptions,
  classModel: ClassModel,
  diagnostics: Diagnostics,
): ResourceModel {
  const relations = new Relations(target, kind, diagnostics);
  const hasStatus = options.subresources ? options.subresources.status === true : hasField(classModel, 'status');
  if (hasStatus) collectRootRules(classModel, diagnostics);
  const samples = ownMetadata(SAMPLE, target);
  collectSamples(classModel, kind, samples, diagnostics);
  const controllerOptions = Object.assign({}, ...inheritedMetadata(CONTROLLER, target)) as object;
  const scale = scaleOf(target, classModel, diagnostics);
  const subresources = { status: hasStatus, scale: scale !== undefined };
  return Object.freeze({
    target: target as unknown as new () => CustomResource,
    className: target.name,
    kind,
    ...kindNames(kind, options),
    annotations: Object.freeze({ ...options.annotations }),
    labels: Object.freeze({ ...options.labels }),
    description: options.description ?? describeClass(target),
    hasStatus,
    fields: classModel.fields.filter(({ name }) => !isCommonField(name)),
    classModel,
    version: versionSettings(target, options, diagnostics),
    isReconciled: isReconciled(target),
    printColumns: Object.freeze(printColumnsOf(target, classModel, diagnostics)),
    selectableFields: Object.freeze(selectableFieldsOf(target, classModel, diagnostics)),
    scale,
    controller: controllerSettings(target, kind.kind.toLowerCase(), controllerOptions, diagnostics),
    owns: Object.freeze(relations.owns()),
    watches: Object.freeze(relations.watches()),
    rules: Object.freeze(relations.rules()),
    finalizers: Object.freeze(finalizersOf(target, diagnostics)),
    injections: Object.freeze(injectionsOf(target, classModel.fields, diagnostics)),
    samples: Object.freeze([...samples]),
    webhooks: Object.freeze(webhookModels({ target, kind, subresources }, diagnostics)),
  });
}

function hasField({ fields }: ClassModel, wanted: string): boolean {
  return fields.some(({ name }) => name === wanted);
}
