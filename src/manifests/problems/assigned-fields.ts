import type { Diagnostics } from '../../resource/diagnostics.js';
import { isCommonField } from '../../resource/fields/common-fields.js';
import { isOfDefinition, type ClassModel, type FieldModel } from '../../resource/fields/value-model.js';
import type { ResourceModel } from '../../resource/model.js';

/** A statement such as `this.spec.zone ??= …` at the start of a line, which excludes comments. */
const ASSIGNMENT = /^[\t ]*this((?:\.[\w$]+)+)\s*(?:\?\?|\|\||&&|[-+*/%])?=(?![=>])/gm;

/**
 * Adds a diagnostic for each property that a `@Mutate` method sets and the schema does not have: the API server would
 * drop it without an error.
 */
export function collectAssignedFields(model: ResourceModel, diagnostics: Diagnostics): void {
  const { target, definesKind, classModel, webhooks } = model;
  const methods = webhooks.filter(({ type }) => type === 'Mutating').flatMap((webhook) => webhook.methods);
  const names = methods.flatMap(({ method, isStatic }) => (method === undefined || isStatic ? [] : [method]));
  if (!definesKind) return;
  for (const method of names) {
    for (const path of assignedPaths(target, method)) {
      if (isOtherProperty(model, path[0] ?? '')) continue;
      const missing = missingField(path, classModel);
      if (missing === undefined) continue;
      diagnostics.add(
        { target, member: method },
        `sets this.${path.join('.')}, but ${missing} is not a field, so the API server drops it`,
        'declare the property with @Field, or use a local variable',
      );
    }
  }
}

function assignedPaths(target: ResourceModel['target'], method: string): string[][] {
  const source = String((target.prototype as Readonly<Record<string, unknown>>)[method]);
  const paths = Array.from(source.matchAll(ASSIGNMENT), ([, path = '']) => path.slice(1));
  return [...new Set(paths)].map((path) => path.split('.'));
}

/** Returns true for metadata, injected values and accessors of the class, which may set fields. */
function isOtherProperty({ target, injections }: ResourceModel, name: string): boolean {
  const isInjected = injections.some(({ property }) => property === name);
  return isCommonField(name) || isInjected || name in (target.prototype as object);
}

/** Returns the path up to the first property that is not a field. */
function missingField(path: readonly string[], root: ClassModel): string | undefined {
  let classModel: ClassModel | undefined = root;
  for (const [index, name] of path.entries()) {
    if (!classModel || isOpen(classModel) || Object.hasOwn(classModel.undeclared ?? {}, name)) return undefined;
    const field: FieldModel | undefined = classModel.fields.find((each) => each.name === name);
    const isAccessor = name in (classModel.target.prototype as object);
    if (!field) return isAccessor ? undefined : path.slice(0, index + 1).join('.');
    classModel = field.value.schema ? undefined : field.value.class;
  }
  return undefined;
}

/** The members of Kubernetes definitions are declared by their types; other objects may accept any member. */
function isOpen(classModel: ClassModel): boolean {
  return isOfDefinition(classModel) || classModel.rules['x-kubernetes-preserve-unknown-fields'] === true;
}
