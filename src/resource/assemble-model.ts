import type { KindRef } from '../api/kinds/kind-ref.js';
import { partOf } from '../api/selection/part-of.js';
import type { CustomResource } from './custom-resource.js';
import { SAMPLE } from './decorators/sample.js';
import type { Diagnostics } from './diagnostics.js';
import { describeClass } from './doc-comments.js';
import { isCommonField } from './fields/common-fields.js';
import { cacheIndexesOf } from './kinds/cache-indexes.js';
import { controllerSettings } from './kinds/controller-settings.js';
import { dependentsOf } from './kinds/dependents.js';
import { finalizersOf } from './kinds/finalizers.js';
import { injectionsOf } from './kinds/injections.js';
import { hasStatusSubresource, isReconciled, type KindDeclaration } from './kinds/kind-class.js';
import { kindNames } from './kinds/kind-names.js';
import { kindsOf, servingKind } from './kinds/kinds-of.js';
import { printColumnsOf } from './kinds/print-columns.js';
import { Relations } from './kinds/relations.js';
import { scaleOf } from './kinds/scale.js';
import { selectableFieldsOf } from './kinds/selectable-fields.js';
import { versionSettings } from './kinds/version-settings.js';
import { ownMetadata } from './metadata.js';
import type { ResourceModel } from './model.js';
import { hasRuntimeRules, writtenFields } from './instances/runtime-problems.js';
import { daemonMethodsOf } from './triggers/daemon-methods.js';
import { sourcesOf } from './triggers/source-models.js';
import { timersOf } from './triggers/timer-models.js';
import { policyModels } from './webhooks/policy-models.js';
import { webhookModels } from './webhooks/webhook-models.js';

/**
 * Returns the model of a class.
 *
 * Adds diagnostics for decorators of its members. With diagnostics, the result must not be used.
 */
export function assembleModel(declaration: KindDeclaration, diagnostics: Diagnostics): ResourceModel {
  const { target, kind, options, definesKind, classModel } = declaration;
  const dependents = dependentsOf(target, kind, diagnostics);
  const relations = new Relations(target, kind, diagnostics);
  const owns = relations.owns(dependents);
  const watches = relations.watches();
  const hasStatus = hasStatusSubresource(declaration);
  const controller = controllerSettings(declaration, diagnostics);
  const ownKind = controller.cache ? servingKind(partOf(kind as KindRef, controller.cache)) : kind;
  const scale = scaleOf(target, classModel, diagnostics);
  const subresources = { status: hasStatus, scale: scale !== undefined };
  const rules = hasRuntimeRules(writtenFields(classModel.fields, hasStatus));
  const sources = sourcesOf(target, diagnostics);
  const webhooks = webhookModels({ target, kind, definesKind, subresources, hasRuntimeRules: rules }, diagnostics);
  if (controller.clusters) collectServed(target, { sources, webhooks }, diagnostics);
  return Object.freeze({
    target: target as unknown as new () => CustomResource,
    className: target.name,
    kind,
    ownKind,
    definesKind,
    ...kindNames(kind, options),
    annotations: Object.freeze({ ...options.annotations }),
    labels: Object.freeze({ ...options.labels }),
    description: describeClass(target),
    hasStatus,
    fields: classModel.fields.filter(({ name }) => !isCommonField(name)),
    classModel,
    version: versionSettings(target, options, diagnostics),
    isReconciled: isReconciled(target),
    printColumns: Object.freeze(printColumnsOf(target, classModel, diagnostics)),
    selectableFields: Object.freeze(selectableFieldsOf(target, classModel, diagnostics)),
    scale,
    controller,
    owns: Object.freeze(owns),
    watches: Object.freeze(watches),
    indexes: Object.freeze(cacheIndexesOf(target, kindsOf({ ownKind, owns, watches }), diagnostics)),
    rules: Object.freeze(relations.rules(controller.clusters !== undefined)),
    dependents: Object.freeze(dependents),
    finalizers: Object.freeze(finalizersOf(target, kind, diagnostics)),
    injections: Object.freeze(injectionsOf(target, classModel.fields, diagnostics)),
    samples: Object.freeze(ownMetadata(SAMPLE, target).map(({ sample }) => sample)),
    timers: Object.freeze(timersOf(target, diagnostics)),
    sources: Object.freeze(sources),
    daemons: Object.freeze(daemonMethodsOf(target, diagnostics)),
    policies: Object.freeze(policyModels({ target, kind, definesKind, name: controller.name }, diagnostics)),
    webhooks: Object.freeze(webhooks),
  });
}

/** Adds diagnostics for methods of a class with `clusters` that are called by requests, which do not name a cluster. */
function collectServed(
  target: KindDeclaration['target'],
  { sources, webhooks }: Pick<ResourceModel, 'sources' | 'webhooks'>,
  diagnostics: Diagnostics,
): void {
  const hint = 'move it to another class without clusters';
  for (const { type, method } of sources)
    if (type === 'http')
      diagnostics.add({ target, member: method }, '@Source with a path cannot be combined with clusters', hint);
  for (const { type, methods } of webhooks)
    for (const { method } of methods) {
      const decorator = type === 'Mutating' ? '@Mutate' : '@Validate';
      diagnostics.add({ target, member: method }, `${decorator} cannot be combined with clusters`, hint);
    }
}
