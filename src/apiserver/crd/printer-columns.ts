import { type ApiObject, type JsonObject, eachObject, isJsonObject, stringAt } from '../objects/api-object.js';
import { goJson, goText } from '../apply/go-value.js';
import { parseGoTime, LAYOUT } from '../schema/go-time.js';
import { plainColumns } from '../table/builtin-columns.js';
import { humanDuration } from '../table/human-duration.js';
import type { TableColumn } from '../table/table-column.js';
import { compileJsonPath, type JsonPathReader } from '../../crd/json-path/compile-json-path.js';

/** What no integer of Go reaches comes out as the least of them. */
const LIMIT = 2 ** 63;

/** The columns of a version of a custom resource: customresource/tableconvertor. */
export function printerColumns(version: JsonObject): TableColumn[] {
  const extra = eachObject(version.additionalPrinterColumns);
  const plain = plainColumns();
  if (extra.length === 0) return plain.map(agedByDate);
  const columns: TableColumn[] = plain.slice(0, 1);
  for (const column of extra) {
    const read = compileJsonPath(stringAt(column, 'jsonPath'));
    // What comes after a path that is none is not shown either.
    if (!read) break;
    columns.push(printerColumn(column, read));
  }
  return columns;
}

/** The age of custom resources is a date by its type. */
function agedByDate(column: TableColumn): TableColumn {
  return column.name === 'Age' ? { ...column, type: 'date' } : column;
}

function printerColumn(column: JsonObject, read: JsonPathReader): TableColumn {
  const [name, type, format] = [stringAt(column, 'name'), stringAt(column, 'type'), stringAt(column, 'format')];
  return {
    name,
    type,
    format,
    description:
      stringAt(column, 'description') ||
      `Custom resource definition column (in JSONPath format): ${stringAt(column, 'jsonPath')}`,
    priority: Number(column.priority ?? 0),
    // Of what a path leads to, the first counts.
    cell: (object: ApiObject, nowMs) => {
      const [first] = read(object);
      return first === undefined ? null : cellOf(type, first, nowMs);
    },
  };
}

/** A value that is none of the column's type is not shown. */
function cellOf(type: string, value: unknown, nowMs: number): unknown {
  switch (type) {
    case 'string':
      return textIn(value);
    case 'integer':
      return typeof value === 'number' ? integerOf(value) : wide(value);
    case 'number':
      return typeof value === 'number' ? value : wide(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    default:
      return typeof value === 'string' ? ageOf(value, nowMs) : null;
  }
}

function textIn(value: unknown): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? goJson(inOrder(value)) : goText(value);
}

/** As Go writes the members of a map. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]));
}

function integerOf(value: number): number {
  return Math.abs(value) < LIMIT ? Math.trunc(value) : -LIMIT;
}

function wide(value: unknown): unknown {
  return typeof value === 'bigint' ? value : null;
}

function ageOf(value: string, nowMs: number): string {
  if (value === '' || value === 'null') return '<unknown>';
  try {
    return humanDuration(nowMs - parseGoTime(value, LAYOUT).ms);
  } catch {
    return '<invalid>';
  }
}
