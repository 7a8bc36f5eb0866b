import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A field of a Go struct as the API server's type table holds it; short names because there are thousands. */
export interface FieldRow {
  /** JSON name; empty for an inlined struct. */
  n: string;
  /** Go type: `*int32`, `[]core/v1.Container`, `map[string]string`. */
  t: string;
  /** The type as the source has it, where that is another name for `t`: `core/v1.ResourceList`. */
  g?: string;
  /** Protobuf field number. */
  p?: number;
  /** 1: omitempty, 2: omitzero. */
  o?: number;
  /** List type: map, set or atomic; map or struct type `atomic`. */
  l?: string;
  /** List map keys. */
  k?: string[];
  /** Default of the marker. */
  d?: unknown;
  /** Patch strategy and merge key of strategic merge patch. */
  s?: string;
  m?: string;
}

/** A named Go type: a struct with its fields, or another name for a type. */
export type TypeRow = { fields: FieldRow[]; atomic?: true; proto?: true } | { alias: string };

const WELL_KNOWN: Readonly<Record<string, string>> = {
  'resource.Quantity': 'Quantity',
  'intstr.IntOrString': 'IntOrString',
  'runtime.RawExtension': 'RawExtension',
  'runtime.Object': 'RawExtension',
  'meta/v1.Time': 'Time',
  'meta/v1.MicroTime': 'MicroTime',
  'meta/v1.Duration': 'Duration',
  'meta/v1.FieldsV1': 'FieldsV1',
  'meta/v1.Verbs': '[]string',
  'apiextensions/v1.JSON': 'JSON',
  'apiextensions/v1.JSONSchemaPropsOrArray': 'JSONSchemaPropsOrArray',
  'apiextensions/v1.JSONSchemaPropsOrBool': 'JSONSchemaPropsOrBool',
  'apiextensions/v1.JSONSchemaPropsOrStringArray': 'JSONSchemaPropsOrStringArray',
};

const SCALARS = new Set(['string', 'bool', 'int', 'int32', 'int64', 'float64', 'byte', 'uint32', 'uint64', 'int8']);

/** Reads every type of a package folder into the table under `name` (`core/v1`). */
export function readGoPackage(folder: string, name: string, table: Record<string, TypeRow>): void {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.go') || file.startsWith('generated') || file.startsWith('zz_') || file.endsWith('_test.go'))
      continue;
    readFile(readFileSync(join(folder, file), 'utf8'), name, table);
  }
}

function readFile(text: string, pkg: string, table: Record<string, TypeRow>): void {
  const imports = readImports(text);
  const lines = text.split('\n');
  let comments: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (line.startsWith('//')) {
      comments.push(line.slice(2).trim());
      continue;
    }
    const end = readType(lines, index, comments, { pkg, imports, table });
    if (line.trim() !== '') comments = [];
    index = end;
  }
}

interface Source {
  readonly pkg: string;
  readonly imports: Map<string, string>;
  readonly table: Record<string, TypeRow>;
}

/** Reads the type that begins at a line, if one does; returns its last line. */
function readType(lines: readonly string[], index: number, comments: readonly string[], source: Source): number {
  const { pkg, imports, table } = source;
  const line = lines[index]!;
  const struct = /^type (\w+) struct ?\{(\})?$/.exec(line);
  if (struct) {
    const end = struct[2] === undefined ? lines.indexOf('}', index) : index;
    const fields = readFields(lines.slice(index + 1, end), pkg, imports);
    const isAtomic = ['+structType=atomic', '+mapType=atomic'].some((marker) => comments.includes(marker));
    table[`${pkg}.${struct[1]!}`] = { fields, ...(isAtomic && { atomic: true }) };
    return end;
  }
  const alias = /^type (\w+) (=? ?[\w.[\]*]+)$/.exec(line);
  if (alias) table[`${pkg}.${alias[1]!}`] = { alias: qualify(alias[2]!, pkg, imports) };
  return index;
}

function readImports(text: string): Map<string, string> {
  const imports = new Map<string, string>();
  for (const [, alias, path = ''] of text.matchAll(/^\s*(?:import )?(\w+ )?"(k8s\.io\/[^"]+)"$/gm)) {
    const parts = path.split('/');
    const local = alias?.trim() ?? parts.at(-1) ?? '';
    const versioned = /^v\d/.test(parts.at(-1) ?? '');
    imports.set(local, versioned ? parts.slice(-2).join('/') : (parts.at(-1) ?? ''));
  }
  return imports;
}

function readFields(lines: readonly string[], pkg: string, imports: Map<string, string>): FieldRow[] {
  const fields: FieldRow[] = [];
  let markers: string[] = [];
  for (const line of lines) {
    const comment = /^\s*\/\/\s*(.*)$/.exec(line);
    if (comment) {
      markers.push((comment[1] ?? '').trim());
      continue;
    }
    if (isInternal(pkg)) {
      fields.push(...readInternalField(line, pkg, imports));
      continue;
    }
    const field = /^\s+(?:(\w+)\s+)?([\w.[\]*]+)\s+`(.*)`/.exec(line);
    if (field) {
      const row = readField(field[2] ?? '', field[3] ?? '', markers, pkg, imports);
      if (row) fields.push(row);
    }
    markers = [];
  }
  return fields;
}

/** The server's own types have no version, and their fields no names in JSON. */
const isInternal = (pkg: string): boolean => !pkg.includes('/');

function readInternalField(line: string, pkg: string, imports: Map<string, string>): FieldRow[] {
  const field = /^\s+(?:(\w+)\s+)?([\w.[\]*]+)\s*(?:`.*`)?\s*(?:\/\/.*)?$/.exec(line);
  return field ? [{ n: field[1] ?? '', t: qualify(field[2] ?? '', pkg, imports) }] : [];
}

function readField(
  type: string,
  tags: string,
  markers: readonly string[],
  pkg: string,
  imports: Map<string, string>,
): FieldRow | undefined {
  const [name = '', ...options] = (tag(tags, 'json') ?? '-').split(',');
  if (name === '-') return undefined;
  const omit = (options.includes('omitempty') ? 1 : 0) + (options.includes('omitzero') ? 2 : 0);
  const row: FieldRow = {
    n: options.includes('inline') ? '' : name,
    t: qualify(type, pkg, imports),
    ...protobufNumber(tags),
    ...(omit > 0 && { o: omit }),
    ...patchTags(tags),
  };
  for (const marker of markers) applyMarker(row, marker);
  return row;
}

function protobufNumber(tags: string): Pick<FieldRow, 'p'> {
  const number = /(?:^|,)(\d+)(?:,|$)/.exec(tag(tags, 'protobuf') ?? '')?.[1];
  return number === undefined ? {} : { p: Number(number) };
}

function patchTags(tags: string): Pick<FieldRow, 's' | 'm'> {
  const [strategy, mergeKey] = [tag(tags, 'patchStrategy'), tag(tags, 'patchMergeKey')];
  return { ...(strategy !== undefined && { s: strategy }), ...(mergeKey !== undefined && { m: mergeKey }) };
}

function applyMarker(row: FieldRow, marker: string): void {
  const [, key, value = ''] = /^\+(listType|listMapKey|mapType|structType|default)=(.*)$/.exec(marker) ?? [];
  if (key === 'listMapKey') (row.k ??= []).push(value);
  else if (key === 'default') row.d = readDefault(value);
  else if (key !== undefined) row.l = value;
}

function readDefault(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a reference to a Go constant; the defaulting code knows these
  }
}

function tag(tags: string, key: string): string | undefined {
  return new RegExp(`(?:^| )${key}:"([^"]*)"`).exec(tags)?.[1];
}

function qualify(raw: string, pkg: string, imports: Map<string, string>): string {
  const type = raw.replace(/^= /, '');
  const prefix = /^(\*|\[\])/.exec(type)?.[0];
  if (prefix !== undefined) return prefix + qualify(type.slice(prefix.length), pkg, imports);
  const mapValue = /^map\[[\w.]+\](.*)$/.exec(type)?.[1];
  if (mapValue !== undefined) return `map[string]${qualify(mapValue, pkg, imports)}`;
  if (SCALARS.has(type)) return type;
  const dot = type.indexOf('.');
  const qualifier = type.slice(0, Math.max(0, dot));
  const home = dot < 0 ? pkg : (imports.get(qualifier) ?? qualifier);
  const full = `${home}.${type.slice(dot + 1)}`;
  return WELL_KNOWN[full] ?? full;
}

/** Names of strings that live outside the packages of the API. */
const PLAIN_NAMES: Readonly<Record<string, TypeRow>> = {
  'types.UID': { alias: 'string' },
  'types.NodeName': { alias: 'string' },
};

/** Replaces every alias by its type, and drops types that are not reachable from `roots`. */
export function resolveTypes(table: Record<string, TypeRow>, roots: readonly string[]): Record<string, TypeRow> {
  const kept: Record<string, TypeRow> = {};
  const visit = (type: string): string => {
    const prefix = /^(\*|\[\]|map\[string\])/.exec(type)?.[0];
    if (prefix !== undefined) return prefix + visit(type.slice(prefix.length));
    const row = table[type] ?? PLAIN_NAMES[type];
    if (row === undefined) {
      if (type.includes('.')) throw new Error(`type ${type} is not defined`);
      return type;
    }
    if ('alias' in row) return visit(row.alias);
    if (!(type in kept)) {
      kept[type] = row;
      for (const field of row.fields) {
        const resolved = visit(field.t);
        if (resolved !== field.t) field.g = field.t;
        field.t = resolved;
      }
    }
    return type;
  };
  roots.forEach(visit);
  return kept;
}
