import { type ApiObject, type JsonObject, eachObject, isJsonObject, stringAt } from '../objects/api-object.js';
import { goJson } from '../../base/go-json.js';
import { goText } from '../apply/go-value.js';
import { parseGoTime, LAYOUT } from '../schema/go-time.js';
import { plainColumns } from '../table/builtin-columns.js';
import { humanDuration } from '../table/human-duration.js';
import type { TableColumn } from '../table/table-column.js';
import { compileJsonPath, type JsonPathReader } from '../../crd/json-path/compile-json-path.js';

/** The limit of Go's int64; numbers outside are converted to its minimum. */
const LIMIT = 2 ** 63;

/** Returns the columns of a version of a custom resource: customresource/tableconvertor. */
export function printerColumns(version: JsonObject): TableColumn[] {
  const extra = eachObject(version.additionalPrinterColumns);
  const plain = plainColumns();
  if (extra.length === 0) return plain.map(agedByDate);
  const columns: TableColumn[] = plain.slice(0, 1);
  for (const column of extra) {
    const read = compileJsonPath(stringAt(column, 'jsonPath'));
    // Columns after one with an invalid path are omitted too.
    if (!read) break;
    columns.push(printerColumn(column, read));
  }
  return columns;
}

/** Returns the age column with type date, as custom resources have it. */
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
    // The first value that the path selects is shown.
    cell: (object: ApiObject, nowMs) => {
      const [first] = read(object);
      return first === undefined ? null : cellOf(type, first, nowMs);
    },
  };
}

/** Returns the cell of a value; undefined if it does not match the column's type. */
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

/** Sorts the members of maps like Go. */
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
