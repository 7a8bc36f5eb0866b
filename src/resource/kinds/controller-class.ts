import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { CustomResource } from '../custom-resource.js';
import { CONTROLLER } from '../decorators/controller.js';
import { DEPENDENT } from '../decorators/dependent.js';
import { FIELD } from '../decorators/field.js';
import { MUTATE } from '../decorators/mutate.js';
import { POLICY } from '../decorators/policy.js';
import { PRINT_COLUMN } from '../decorators/print-column.js';
import { SAMPLE } from '../decorators/sample.js';
import { SCALE } from '../decorators/scale.js';
import { SCHEMA } from '../decorators/schema.js';
import { SELECTABLE_FIELD } from '../decorators/selectable-field.js';
import { VALIDATE } from '../decorators/validate.js';
import type { Diagnostics } from '../diagnostics.js';
import { decoratorUse, inheritedMetadata, type MetadataKey } from '../metadata.js';
import { ObjectController } from '../object-controller.js';
import { foreignDeclaration, referenceOf } from './foreign-declaration.js';
import { collectReconciler, hasMisplacedReconcile, isReconciled, type KindDeclaration } from './kind-class.js';

type Target = abstract new (...args: never[]) => object;

/** Decorators that describe or review the objects of a kind that the class itself defines. */
const OF_KINDS: readonly MetadataKey<unknown>[] = [
  ...[FIELD, PRINT_COLUMN, SCALE, SCHEMA, SELECTABLE_FIELD, SAMPLE],
  ...[MUTATE, VALIDATE, POLICY, DEPENDENT],
];

/** Returns true for a class that controls a kind defined elsewhere, or is meant to. */
export function isObjectController(target: Target): boolean {
  return target.prototype instanceof ObjectController;
}

/**
 * The declaration of a class with `@Controller({ for })`; undefined without a valid kind.
 *
 * Adds diagnostics for its kind, its methods, and decorators that require `@Kind`.
 */
export function controllerDeclaration(target: Target, diagnostics: Diagnostics): KindDeclaration | undefined {
  const { for: given, writesStatus } = controllerOptions(target);
  if (given === undefined) {
    diagnostics.add({ target }, 'has no kind', '@Controller({ for: Namespace }), or extend CustomResource with @Kind');
    return undefined;
  }
  const kind = referenceOf(given);
  if (!kind) {
    const decorator = controllerUse(target);
    const hint = `a kind of Kubernetes, a class with @Kind, or kindByName({ group: 'cert-manager.io', version: 'v1', kind: 'Certificate' })`;
    diagnostics.add({ target, decorator }, '@Controller: `for` is not a kind', hint);
    return undefined;
  }
  if (kind.part) {
    const decorator = controllerUse(target);
    const hint = `@Controller({ for: ${kind.kind}, cache: { labelSelector: '…' } })`;
    diagnostics.add({ target, decorator }, `@Controller: \`for\` is a part of ${kind.kind}`, hint);
    return undefined;
  }
  for (const key of OF_KINDS) {
    const use = decoratorUse(key, target, 0);
    if (use) diagnostics.add({ target }, `@${use.name} requires a class with @Kind`, `remove @${use.name}`);
  }
  if (!isReconciled(target) && !hasMisplacedReconcile(target))
    diagnostics.add({ target, member: 'reconcile' }, 'is missing', 'async reconcile(ctx: Context): Promise<void>');
  collectReconciler(target, diagnostics);
  return foreignDeclaration(target, kind as KindRef<CustomResource>, writesStatus === true);
}

/** The options of `@Controller` of a class and its base classes. */
export function controllerOptions(target: Target) {
  return Object.assign({}, ...inheritedMetadata(CONTROLLER, target)) as NonNullable<(typeof CONTROLLER)['entry']>;
}

/** The last `@Controller` of a class and its base classes. */
export function controllerUse(target: Target) {
  return decoratorUse(CONTROLLER, target, inheritedMetadata(CONTROLLER, target).length - 1);
}

/** The default name of a controller: `NamespaceLabels` as `namespace-labels`. */
export function controllerName({ name }: { readonly name: string }): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
}
