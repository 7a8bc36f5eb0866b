import { KIND_REF, type KindRef } from '../api/kind-ref.js';
import { ClassModels } from './fields/class-models.js';
import { controllerSettings, type ControllerSettings } from './kinds/controller-settings.js';
import { requireSingleCopy } from './copies.js';
import type { CustomResource } from './custom-resource.js';
import { CONTROLLER } from './decorators/controller.js';
import { KIND, type KindOptions } from './decorators/kind.js';
import type { PrintColumn } from './decorators/print-column.js';
import type { ScaleOptions } from './decorators/scale.js';
import { SAMPLE, type SampleOptions } from './decorators/sample.js';
import { describeClass } from './doc-comments.js';
import type { DeclaredRule } from './kinds/declared-rule.js';
import { finalizersOf, type FinalizerMethod } from './kinds/finalizers.js';
import { kindLocation } from './kinds/kind-location.js';
import { checkKind, kindNames } from './kinds/kind-names.js';
import { inheritedMetadata, ownMetadata } from './metadata.js';
import { Diagnostics } from './diagnostics.js';
import { isCommonField } from './fields/common-fields.js';
import { printColumnsOf } from './kinds/print-columns.js';
import { checkRootRules } from './kinds/root-rules.js';
import { scaleOf } from './kinds/scale.js';
import { selectableFieldsOf } from './kinds/selectable-fields.js';
import { checkVersions } from './kinds/versions.js';
import { versionSettings, type VersionSettings } from './kinds/version-settings.js';
import { checkReconciler, isReconciled } from './kinds/reconciler-class.js';
import { Relations, type OwnedKind, type WatchedKind } from './kinds/relations.js';
import { checkSamples } from './kinds/samples.js';
import { collectUniqueness } from './kinds/uniqueness.js';
import type { ClassModel, FieldModel } from './fields/value-model.js';

/** A class annotated with `@Kind`: all of it, checked, with defaults filled in. */
export interface ResourceModel<T extends CustomResource = CustomResource> {
  readonly target: new () => T;
  readonly className: string;
  readonly kind: KindRef<T>;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Of the CustomResourceDefinition. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Of the CustomResourceDefinition. */
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string | undefined;
  /** Whether there is a status subresource: by default when the class has a field `status`. */
  readonly hasStatus: boolean;
  /** The fields beside apiVersion, kind and metadata. */
  readonly fields: readonly FieldModel[];
  /** The class as its objects' schema sees it. */
  readonly classModel: ClassModel;
  readonly version: VersionSettings;
  /** Whether there is a method to run: without one the kind is defined, watched and used, but not reconciled. */
  readonly isReconciled: boolean;
  readonly printColumns: readonly PrintColumn[];
  /** Paths that objects can be selected by. */
  readonly selectableFields: readonly string[];
  readonly scale: ScaleOptions | undefined;
  readonly controller: ControllerSettings;
  readonly owns: readonly OwnedKind[];
  readonly watches: readonly WatchedKind[];
  /** Declared by `@Rbac`. */
  readonly rules: readonly DeclaredRule[];
  readonly finalizers: readonly FinalizerMethod[];
  readonly samples: readonly SampleOptions[];
}

/** A class as `buildResourceModels` takes it. */
export type ResourceClass = abstract new (...args: never[]) => object;

/**
 * The models of annotated classes.
 *
 * @throws ModelError that lists every mistake in all of the classes, each with the line to type.
 */
export function buildResourceModels(classes: readonly ResourceClass[]): ResourceModel[] {
  requireSingleCopy();
  const diagnostics = new Diagnostics();
  const classModels = new ClassModels(diagnostics);
  const models = classes.flatMap((target) => build(target, classModels, diagnostics) ?? []);
  collectUniqueness(models, diagnostics);
  checkVersions(models, diagnostics);
  diagnostics.throwIfAny();
  return models;
}

/**
 * The model of one class, which may be one of several versions of its kind.
 *
 * @throws ModelError listing every error in the class.
 */
export function buildVersionModel(target: ResourceClass): ResourceModel {
  requireSingleCopy();
  const diagnostics = new Diagnostics();
  const model = build(target, new ClassModels(diagnostics), diagnostics);
  diagnostics.throwIfAny();
  if (!model) throw new TypeError(`no model of ${target.name}`);
  return model;
}

function build(target: ResourceClass, classModels: ClassModels, diagnostics: Diagnostics): ResourceModel | undefined {
  const [options, ...others] = ownMetadata(KIND, target);
  if (!options) {
    diagnostics.add({ target }, 'has no @Kind', `@Kind({ group: 'apps.example.com', version: 'v1' }) before the class`);
    return undefined;
  }
  if (others.length > 0)
    diagnostics.add(kindLocation(target), 'has @Kind twice', 'remove one, and use a class for each kind');
  const kind = (target as unknown as { [KIND_REF]: KindRef<CustomResource> })[KIND_REF];
  checkKind(target, kind, options, diagnostics);
  checkReconciler(target, diagnostics);
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
  if (hasStatus) checkRootRules(classModel, diagnostics);
  const samples = ownMetadata(SAMPLE, target);
  checkSamples(classModel, kind, samples, diagnostics);
  const controllerOptions = Object.assign({}, ...inheritedMetadata(CONTROLLER, target)) as object;
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
    scale: scaleOf(target, classModel, diagnostics),
    controller: controllerSettings(target, kind.kind.toLowerCase(), controllerOptions, diagnostics),
    owns: Object.freeze(relations.owns()),
    watches: Object.freeze(relations.watches()),
    rules: Object.freeze(relations.rules()),
    finalizers: Object.freeze(finalizersOf(target, diagnostics)),
    samples: Object.freeze([...samples]),
  });
}

function hasField({ fields }: ClassModel, wanted: string): boolean {
  return fields.some(({ name }) => name === wanted);
}
