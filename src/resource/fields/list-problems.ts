import type { Problem } from '../model-error.js';
import { isOfDefinition, type ClassModel, type FieldModel, type ValueModel } from './value-model.js';

/** Validates the merge strategy of a list by the rules of apiextensions. */
export function listProblems({ rules, items }: ValueModel): Problem[] {
  const listType = rules['x-kubernetes-list-type'];
  const keys = rules['x-kubernetes-list-map-keys'] ?? [];
  if (listType === 'map') return items?.schema ? [] : [...mapProblems(keys, items)];
  const problems: Problem[] = [];
  if (keys.length > 0) problems.push([`listMapKeys requires listType 'map'`, `listType: 'map', or remove listMapKeys`]);
  if (listType === 'set' && items && !isAtomic(items))
    problems.push([`listType 'set' requires scalar items, or atomic objects and lists`, `listType: 'atomic'`]);
  return problems;
}

function* mapProblems(keys: readonly string[], items: ValueModel | undefined): Generator<Problem> {
  if (!items?.class) {
    yield [`listType 'map' requires a class as item type`, `listType: 'set'`];
    return;
  }
  const { fields, className } = items.class;
  if (keys.length === 0) yield [`listType 'map' requires listMapKeys`, `listMapKeys: ['${fields[0]?.name ?? 'name'}']`];
  if (items.rules.nullable) yield [`items of listType 'map' must not be nullable`, 'remove nullable'];
  for (const key of keys) {
    const field = fields.find(({ name }) => name === key);
    if (field) yield* keyProblems(field, items.class);
    else
      yield [
        `listMapKeys references unknown field "${key}" of ${className}`,
        isOfDefinition(items.class) ? goodKeys(items.class) : `@Field() ${key} in ${className}`,
      ];
  }
}

/** The fields of a definition that are suitable as keys. */
function goodKeys(classModel: ClassModel): string {
  const keys = classModel.fields.filter((field) => [...keyProblems(field, classModel)].length === 0);
  return `listMapKeys: ${keys.length > 0 ? `from ${keys.map(({ name }) => name).join(', ')}` : 'none, and another listType'}`;
}

function* keyProblems({ name, isRequired, value }: FieldModel, classModel: ClassModel): Generator<Problem> {
  if (!isScalar(value))
    yield [`list key ${name} is not a scalar`, 'use fields that are strings or numbers as listMapKeys'];
  if (value.rules.nullable)
    yield [`list key ${name} is nullable`, `remove nullable from ${classModel.className}.${name}`];
  if (!isRequired && value.rules.default === undefined)
    yield [
      `list key ${name} is optional and has no default value`,
      isOfDefinition(classModel)
        ? 'use required fields as listMapKeys'
        : `make ${classModel.className}.${name} required, or add a default`,
    ];
}

function isScalar({ type }: ValueModel): boolean {
  return type !== undefined && type !== 'array' && type !== 'object';
}

function isAtomic(value: ValueModel): boolean {
  if (value.schema) return true;
  if (value.type === 'array') return (value.rules['x-kubernetes-list-type'] ?? 'atomic') === 'atomic';
  if (value.type !== 'object') return true;
  return value.rules['x-kubernetes-map-type'] === 'atomic';
}
