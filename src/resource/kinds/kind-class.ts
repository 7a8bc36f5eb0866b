import type { KindRef } from '../../api/kinds/kind-ref.js';
import { CustomResource } from '../custom-resource.js';
import { DEPENDENT } from '../decorators/dependent.js';
import type { KindOptions } from '../decorators/kind.js';
import { SAMPLE } from '../decorators/sample.js';
import type { Diagnostics } from '../diagnostics.js';
import type { ClassModel } from '../fields/value-model.js';
import { inheritedMetadata, ownMetadata } from '../metadata.js';
import { collectKind } from './kind-names.js';
import { collectSamples } from './samples.js';

/** A class with `@Kind`, `@Controller({ for })` or `@Admission`, and the model of its fields. */
export interface KindDeclaration {
  readonly target: abstract new (...args: never[]) => object;
  readonly kind: KindRef<CustomResource>;
  readonly options: KindOptions;
  readonly definesKind: boolean;
  readonly classModel: ClassModel;
}

/** Adds diagnostics for a class as a whole: its kind, its methods, its rules and its samples. */
export function collectKindClass(declaration: KindDeclaration, diagnostics: Diagnostics): void {
  const { target, kind, options, classModel } = declaration;
  collectKind(target, kind, options, diagnostics);
  if (!(target.prototype instanceof CustomResource))
    diagnostics.add({ target }, 'must extend CustomResource', `class ${target.name} extends CustomResource`);
  else collectReconciler(target, diagnostics);
  if (hasStatusSubresource(declaration)) collectRootRules(classModel, diagnostics);
  if (!diagnostics.areAccepted)
    collectSamples(
      classModel,
      kind,
      ownMetadata(SAMPLE, target).map(({ sample }) => sample),
      diagnostics,
    );
}

/** Returns true if the kind has a status subresource: by `subresources` of `@Kind`, otherwise when it has a field `status`. */
export function hasStatusSubresource({ options, classModel }: KindDeclaration): boolean {
  if (options.subresources) return options.subresources.status === true;
  return classModel.fields.some(({ name }) => name === 'status');
}

/** Returns true if a class has a `reconcile` or `@Dependent` method; a class without them only defines its kind. */
export function isReconciled(target: abstract new (...args: never[]) => object): boolean {
  return hasReconcile(target) || inheritedMetadata(DEPENDENT, target).length > 0;
}

function hasReconcile(target: abstract new (...args: never[]) => object): boolean {
  return typeof (target.prototype as Record<string, unknown>)['reconcile'] === 'function';
}

/** Returns true for a class with a static `reconcile`, or one that is a property: `reconcile = async () => { … }`. */
export function hasMisplacedReconcile(target: abstract new (...args: never[]) => object): boolean {
  return 'reconcile' in target || (!hasReconcile(target) && isFunctionProperty(target, 'reconcile'));
}

/** Returns true if the constructor sets a property to a function. A constructor that throws has its own diagnostic. */
function isFunctionProperty(target: abstract new (...args: never[]) => object, name: string): boolean {
  try {
    const instance = new (target as unknown as new () => Readonly<Record<string, unknown>>)();
    return typeof instance[name] === 'function';
  } catch {
    return false;
  }
}

/** Adds diagnostics for a class that cannot be instantiated and run: one instance per reconcile, called with a context. */
export function collectReconciler(target: abstract new (...args: never[]) => object, diagnostics: Diagnostics): void {
  if (hasReconcile(target) || hasMisplacedReconcile(target)) collectMethod(target, 'reconcile', diagnostics);
  collectMethod(target, 'deleted', diagnostics);
  collectConstructor(target, diagnostics);
}

/** Adds a diagnostic for a class that cannot be instantiated. */
export function collectConstructor(target: abstract new (...args: never[]) => object, diagnostics: Diagnostics): void {
  if (target.length > 0) diagnostics.add({ target }, 'has a constructor with parameters', 'remove the parameters');
  else collectAbstract(target as unknown as new () => object, diagnostics);
}

function collectMethod(
  target: abstract new (...args: never[]) => object,
  name: string,
  diagnostics: Diagnostics,
): void {
  const method = (target.prototype as Record<string, unknown>)[name];
  const location = { target, member: name };
  const hint = `async ${name}(ctx: Context): Promise<void>`;
  if (typeof method !== 'function') {
    const isStatic = typeof (target as unknown as Record<string, unknown>)[name] === 'function';
    if (isStatic) diagnostics.add(location, 'must not be static', hint);
    else if (isFunctionProperty(target, name))
      diagnostics.add(location, 'must be a method, not a property with a function', `${hint} { … }`);
    else diagnostics.add(location, 'is missing', hint);
  } else if (method.length > 1) diagnostics.add(location, 'has more parameters than the context', hint);
}

function collectAbstract(target: new () => object, diagnostics: Diagnostics): void {
  try {
    new target();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = 'move the code to reconcile: the fields are set after construction';
    diagnostics.add({ target }, `the constructor throws: ${reason}`, hint);
  }
}

/** The keywords of allowedFieldsAtRootSchema in apiextensions that a class can have. */
const ALLOWED: readonly string[] = [
  'title',
  'example',
  'externalDocs',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/** Adds diagnostics for rules on the whole object that a kind with a status subresource must not have. */
function collectRootRules({ target, rules }: ClassModel, diagnostics: Diagnostics): void {
  for (const keyword of Object.keys(rules).filter((name) => !ALLOWED.includes(name)))
    diagnostics.add(
      { target, decorator: { target, name: 'Schema', index: 0 } },
      `@Schema: ${keyword} is not allowed for a kind with a status subresource`,
      `@Schema({ ${keyword} }) on the class of spec, or @XValidation({ rule: '…' })`,
    );
}
