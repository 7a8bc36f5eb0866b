import { isOfDefinition, type ClassModel, type FieldModel, type ValueModel } from '../fields/value-model.js';

/** A place in the objects of a kind. */
export interface FieldPath {
  /** As JSONPath: `.spec.size`. */
  readonly jsonPath: string;
  readonly value: ValueModel;
  /** Whether it is in an item of a list or a value of a map, so that there can be many. */
  readonly isRepeated: boolean;
}

/** Every class on the way from a kind's class, with where it is. */
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
  if (isOfDefinition(value.class)) return; // no decorator speaks of its fields
  if (value.class) yield* classesBelow(value.class, jsonPath, isRepeated);
  if (value.items) yield* classesIn(value.items, `${jsonPath}[*]`, true);
  if (typeof value.values === 'object') yield* classesIn(value.values, `${jsonPath}.*`, true);
}

/** Where a property of a class is found in the objects of a kind: more than once where the class is used so. */
export function pathsOf(root: ClassModel, isOwner: (classModel: ClassModel) => boolean, property: string): FieldPath[] {
  return [...classesBelow(root)]
    .filter(({ classModel }) => isOwner(classModel))
    .flatMap(({ classModel, jsonPath, isRepeated }) => {
      const field = classModel.fields.find(({ name }) => name === property);
      const path = `${jsonPath}.${property.replaceAll('.', String.raw`\.`)}`;
      return field ? [{ jsonPath: path, value: field.value, isRepeated }] : [];
    });
}

/** The value at the end of a path of plain steps; the first step that is no field; nothing beyond what is known. */
export function follow(jsonPath: string, root: ClassModel): { value?: ValueModel; missing?: string } {
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
