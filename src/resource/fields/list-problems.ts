import type { Problem } from '../model-error.js';
import { fieldWord, isOfDefinition, type ClassModel, type FieldModel, type ValueModel } from './value-model.js';

/** What is wrong with how a list is to be merged, by the rules of apiextensions. */
export function listProblems({ rules, items }: ValueModel): Problem[] {
  const listType = rules['x-kubernetes-list-type'];
  const keys = rules['x-kubernetes-list-map-keys'] ?? [];
  if (listType === 'map') return items?.schema ? [] : [...mapProblems(keys, items)];
  const problems: Problem[] = [];
  if (keys.length > 0) problems.push([`listMapKeys are for listType 'map'`, `listType: 'map', or remove listMapKeys`]);
  if (listType === 'set' && items && !isAtomic(items))
    problems.push(['a set holds scalars, or objects and lists that are merged as one value', `listType: 'atomic'`]);
  return problems;
}

function* mapProblems(keys: readonly string[], items: ValueModel | undefined): Generator<Problem> {
  if (!items?.class) {
    yield [`listType 'map' is for a list of a class`, `listType: 'set'`];
    return;
  }
  const { fields, className } = items.class;
  if (keys.length === 0)
    yield [`listType 'map' needs to know what tells items apart`, `listMapKeys: ['${fields[0]?.name ?? 'name'}']`];
  if (items.rules.nullable) yield ['items of a map list cannot be null', 'remove nullable'];
  for (const key of keys) {
    const field = fields.find(({ name }) => name === key);
    if (field) yield* keyProblems(field, items.class);
    else
      yield [
        `listMapKeys names ${key}, which is no ${fieldWord(items.class)} of ${className}`,
        isOfDefinition(items.class) ? goodKeys(items.class) : `@Field() ${key} in ${className}`,
      ];
  }
}

/** What could tell the items of a definition apart. */
function goodKeys(classModel: ClassModel): string {
  const keys = classModel.fields.filter((field) => [...keyProblems(field, classModel)].length === 0);
  return `listMapKeys: ${keys.length > 0 ? `from ${keys.map(({ name }) => name).join(', ')}` : 'none, and another listType'}`;
}

function* keyProblems({ name, isRequired, value }: FieldModel, classModel: ClassModel): Generator<Problem> {
  if (!isScalar(value)) yield [`list key ${name} is not a scalar`, 'listMapKeys: fields that are strings or numbers'];
  if (value.rules.nullable) yield [`list key ${name} can be null`, `${classModel.className}.${name} without nullable`];
  if (!isRequired && value.rules.default === undefined)
    yield [
      `list key ${name} is optional and has no default`,
      isOfDefinition(classModel)
        ? 'listMapKeys: fields that every item has'
        : `${classModel.className}.${name} without @IsOptional(), or with a default`,
    ];
}

function isScalar({ type }: ValueModel): boolean {
  return type !== undefined && type !== 'array' && type !== 'object';
}

function isAtomic(value: ValueModel): boolean {
  if (value.schema) return true;
  if (value.type === 'array') return (value.rules['x-kubernetes-list-type'] ?? 'atomic') === 'atomic';
  if (value.type !== 'object') return true;
  return (value.rules['x-kubernetes-map-type'] ?? value.class?.structType) === 'atomic';
}
