import {
  FIELD_PRINT_COLUMN,
  PRINT_COLUMN,
  type FieldPrintColumnEntry,
  type PrintColumn,
} from '../decorators/print-column.js';
import { isCommonField } from '../fields/common-fields.js';
import type { ClassModel, ValueModel } from '../fields/value-model.js';
import { decoratorUse, inheritedMetadata } from '../metadata.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Problem } from '../model-error.js';
import { classesBelow, lookUpFieldPath, pathsOf } from './field-paths.js';

const TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** The columns of a kind: first of its class in source order, then of its fields. */
export function printColumnsOf(target: object, classModel: ClassModel, diagnostics: Diagnostics): PrintColumn[] {
  const ofClass = inheritedMetadata(PRINT_COLUMN, target).map(({ column }) => column);
  collectPrintColumns(target, classModel, ofClass, diagnostics);
  return [...ofClass, ...fieldColumns(classModel, diagnostics)];
}

/** Adds diagnostics for columns that the API server would reject or with a path that does not lead to a field. */
function collectPrintColumns(
  target: object,
  classModel: ClassModel,
  columns: readonly PrintColumn[],
  diagnostics: Diagnostics,
): void {
  for (const [index, column] of columns.entries()) {
    const location = { target: classModel.target, decorator: decoratorUse(PRINT_COLUMN, target, index) };
    for (const [problem, hint] of [...columnProblems(column), ...pathProblems(column, classModel)])
      diagnostics.add(location, `@PrintColumn '${column.name}': ${problem}`, hint);
  }
}

function* columnProblems({ name, type, format, priority = 0 }: PrintColumn): Generator<Problem> {
  if (name.trim() === '') yield ['missing name', `name: 'Size'`];
  if (!TYPES.includes(type)) yield [`unknown type "${type}"`, `type: ${TYPES.join(', ')}`];
  if (format !== undefined && !FORMATS.includes(format))
    yield [`unknown format "${format}"`, `format: ${FORMATS.join(', ')}`];
  if (!Number.isInteger(priority) || priority < 0)
    yield [`priority ${priority} is not a non-negative integer`, 'priority: 1'];
}

/** Follows the simple steps of a path; filters and indexes are validated by the server. */
function* pathProblems({ jsonPath: path, anyPath }: PrintColumn, classModel: ClassModel): Generator<Problem> {
  const hint = `jsonPath: '.spec.…'`;
  if (anyPath) {
    if (!path.startsWith('.')) yield [`jsonPath "${path}" must start with a dot`, hint];
  } else if (!/^\.[A-Za-z]/.test(path)) yield [`jsonPath "${path}" must start with a dot and a field`, hint];
  else if (!isCommonField(/^\.([A-Za-z]+)/.exec(path)?.[1] ?? '')) {
    const { missing } = lookUpFieldPath(path, classModel);
    if (missing !== undefined) yield [`jsonPath "${path}" references unknown field "${missing}"`, hint];
  }
}

function fieldColumns(root: ClassModel, diagnostics: Diagnostics): PrintColumn[] {
  const entries = new Set([...classesBelow(root)].flatMap((at) => columnsOf(at.classModel)));
  return [...entries].flatMap((entry) => fieldColumn(root, entry, diagnostics) ?? []);
}

function columnsOf({ target }: ClassModel): readonly FieldPrintColumnEntry[] {
  return inheritedMetadata(FIELD_PRINT_COLUMN, target);
}

function fieldColumn(
  root: ClassModel,
  entry: FieldPrintColumnEntry,
  diagnostics: Diagnostics,
): PrintColumn | undefined {
  const { property, column } = entry;
  const isOwner = (classModel: ClassModel) => columnsOf(classModel).includes(entry);
  const owner = [...classesBelow(root)].find((at) => isOwner(at.classModel))?.classModel ?? root;
  const report = (problem: string, hint: string): void => {
    diagnostics.add({ target: owner.target, member: property }, `@PrintColumn: ${problem}`, hint);
  };
  const [path, ...others] = pathsOf(root, isOwner, property);
  if (!path) {
    report('requires @Field on the same property', `@Field() ${property}`);
    return undefined;
  }
  if (others.length > 0 || path.isRepeated) {
    const places = [path, ...others].map(({ jsonPath }) => jsonPath).join(' and ');
    report(`is ambiguous: the value is at ${places}`, `use @PrintColumn({ …, jsonPath }) on class ${root.className}`);
    return undefined;
  }
  const full = {
    name: column.name ?? inWords(property),
    type: column.type ?? typeOf(path.value),
    jsonPath: path.jsonPath,
    ...column,
  };
  for (const [problem, hint] of columnProblems(full)) report(problem, hint);
  return full;
}

/** `readyReplicas` as `Ready Replicas`. */
function inWords(property: string): string {
  const words = property.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function typeOf({ type, rules, schema }: ValueModel): PrintColumn['type'] {
  if (schema || rules.format === 'date-time' || rules.format === 'date') return schema ? 'string' : 'date';
  return type === 'boolean' || type === 'integer' || type === 'number' ? type : 'string';
}
