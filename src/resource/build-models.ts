import { KIND_REF, type KindRef } from '../api/kinds/kind-ref.js';
import { assembleModel } from './assemble-model.js';
import { collectConversions } from './conversion/collect-conversions.js';
import { assertSingleInstance } from './instances/single-instance.js';
import type { CustomResource } from './custom-resource.js';
import { KIND } from './decorators/kind.js';
import { Diagnostics } from './diagnostics.js';
import { ClassModels } from './fields/class-models.js';
import { controllerDeclaration, isObjectController } from './kinds/controller-class.js';
import { admissionDeclaration, isAdmissionClass } from './kinds/admission-class.js';
import { collectKindClass } from './kinds/kind-class.js';
import { kindLocation } from './kinds/kind-location.js';
import { collectUniqueness } from './uniqueness.js';
import { collectVersions } from './kinds/versions.js';
import { ownMetadata } from './metadata.js';
import type { ResourceClass, ResourceModel } from './model.js';
import { collectOptionNames } from './options/unknown-options.js';
import { collectWebhookVersions } from './webhooks/webhook-models.js';

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
 * Builds the models of classes that `buildResourceModels` has accepted before, as those of a bundle. Options, names,
 * values, samples, versions and conversions are not checked again.
 *
 * @throws ModelError for a class that cannot have been accepted.
 */
export function buildCheckedModels(classes: readonly ResourceClass[]): ResourceModel[] {
  const diagnostics = new Diagnostics(true);
  const classModels = new ClassModels(diagnostics);
  const models = classes.flatMap((target) => build(target, classModels, diagnostics) ?? []);
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

/**
 * Adds a diagnostic for a decorator with an argument of the wrong type, which only a type check reports precisely, unless
 * the class has other diagnostics, which may be the cause.
 */
function tryBuild(
  target: ResourceClass,
  classModels: ClassModels,
  diagnostics: Diagnostics,
): ResourceModel | undefined {
  const { size } = diagnostics;
  if (collectOptionNames(target, diagnostics)) return undefined;
  try {
    return build(target, classModels, diagnostics);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (diagnostics.size > size) return undefined;
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
  if (!options && isAdmissionClass(target)) {
    const declaration = admissionDeclaration(target, diagnostics);
    return declaration && assembleModel(declaration, diagnostics);
  }
  if (!options && isObjectController(target)) {
    const declaration = controllerDeclaration(target, diagnostics);
    return declaration && assembleModel(declaration, diagnostics);
  }
  if (!options) {
    diagnostics.add({ target }, 'has no @Kind', `@Kind({ group: 'apps.example.com', version: 'v1' })`);
    return undefined;
  }
  if (others.length > 0)
    diagnostics.add(kindLocation(target), 'has several @Kind decorators', 'use one class for each kind');
  const kind = (target as unknown as { [KIND_REF]: KindRef<CustomResource> })[KIND_REF];
  const declaration = { target, kind, options, definesKind: true, classModel: classModels.root(target) };
  collectKindClass(declaration, diagnostics);
  return assembleModel(declaration, diagnostics);
}
