import { isOfDefinition, type ClassModel, type FieldModel, type ValueModel } from '../fields/value-model.js';

/** The path of a field in the objects of a kind. */
export interface FieldPath {
  /** JSONPath: `.spec.size`. */
  readonly jsonPath: string;
  readonly value: ValueModel;
  /** True if it is in a list item or map value, so that an object can have several. */
  readonly isRepeated: boolean;
}

/** Iterates over the classes below a kind's class, with their paths. */
export function* classesBelow(
  classModel: ClassModel,
  jsonPath = '',
  isRepeated = false,
): Generator<{ classModel: ClassModel; jsonPath: string; isRepeated: boolean }> {
  yield { classModel, jsonPath, isRepeated };
  for (const { name, value } of classModel.fields)
    yield* classesIn(value, `${jsonPath}.${name.replaceAll('.', String.raw`\.`)}`, isRepeated);
}

function* classesIn(value: ValueModel, jsonPath: string, isRepeated: boolean): ReturnType<typeof classesBelow> {
  if (isOfDefinition(value.class)) return; // its fields have no decorators
  if (value.class) yield* classesBelow(value.class, jsonPath, isRepeated);
  if (value.items) yield* classesIn(value.items, `${jsonPath}[*]`, true);
  if (typeof value.values === 'object') yield* classesIn(value.values, `${jsonPath}.*`, true);
}

/** The paths of a class's property in the objects of a kind; several where the class is used several times. */
export function pathsOf(root: ClassModel, isOwner: (classModel: ClassModel) => boolean, property: string): FieldPath[] {
  return [...classesBelow(root)]
    .filter(({ classModel }) => isOwner(classModel))
    .flatMap(({ classModel, jsonPath, isRepeated }) => {
      const field = classModel.fields.find(({ name }) => name === property);
      const path = `${jsonPath}.${property.replaceAll('.', String.raw`\.`)}`;
      return field ? [{ jsonPath: path, value: field.value, isRepeated }] : [];
    });
}

/** Follows a path of plain steps: returns the value at its end, or the first unknown step; neither in untyped values. */
export function lookUpFieldPath(jsonPath: string, root: ClassModel): { value?: ValueModel; missing?: string } {
  const steps = jsonPath
    .slice(1)
    .split('[', 1)
    .join('')
    .split(/(?<!\\)\./)
    .filter(Boolean);
  let fields: readonly FieldModel[] | undefined = root.fields;
  let value: ValueModel | undefined;
  for (const step of steps) {
    if (!fields) return {};
    const name = step.replaceAll(String.raw`\.`, '.');
    value = fields.find((field) => field.name === name)?.value;
    if (!value) return { missing: step };
    fields = value.class?.fields;
  }
  return value ? { value } : {};
}
