import { ownMember } from '../../base/own-member.js';
import { kubernetesData, type FieldRow } from '../data/data-file.js';

/** A parsed Go type of the API. */
export type GoType =
  | { readonly type: 'scalar'; readonly name: string }
  | { readonly type: 'struct'; readonly name: string }
  | { readonly type: 'pointer' | 'list' | 'map'; readonly of: GoType };

/** A field of a Go struct. */
export interface GoField {
  readonly name: string;
  readonly type: GoType;
  /** The type with the names in Go's errors. */
  readonly named: GoType;
  /** The path of structs that it is inlined from: `@VolumeSource.`. */
  readonly via: string;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly row: FieldRow;
}

/** A Go struct including the fields of inlined structs. */
export interface GoStruct {
  readonly name: string;
  readonly fields: ReadonlyMap<string, GoField>;
  readonly byNumber: ReadonlyMap<number, GoField | GoStruct>;
  readonly atomic: boolean;
}

const types = new Map<string, GoType>();
const structs = new Map<string, GoStruct>();

function parseGoType(text: string): GoType {
  let type = types.get(text);
  if (!type) {
    type = parse(text);
    types.set(text, type);
  }
  return type;
}

function parse(text: string): GoType {
  if (text.startsWith('*')) return { type: 'pointer', of: parseGoType(text.slice(1)) };
  if (text === '[]byte') return { type: 'scalar', name: 'bytes' };
  if (text.startsWith('[]')) return { type: 'list', of: parseGoType(text.slice(2)) };
  if (text.startsWith('map[string]')) return { type: 'map', of: parseGoType(text.slice('map[string]'.length)) };
  return { type: text.includes('.') ? 'struct' : 'scalar', name: text };
}

/** Returns whether the type table contains a struct. */
export function hasGoStruct(name: string): boolean {
  return Object.hasOwn(kubernetesData.types, name);
}

/** Returns a struct of the type table by name (`core/v1.Pod`). */
export function goStruct(name: string): GoStruct {
  let struct = structs.get(name);
  if (!struct) {
    struct = compile(name);
    structs.set(name, struct);
  }
  return struct;
}

function compile(name: string): GoStruct {
  const row = kubernetesData.types[name];
  if (!row) throw new Error(`unknown Go struct ${name}`);
  const fields = new Map<string, GoField>();
  const byNumber = new Map<number, GoField | GoStruct>();
  for (const fieldRow of row.fields) {
    if (fieldRow.n === '') {
      const inlined = goStruct(fieldRow.t);
      const via = `@${shortStructName(fieldRow.t)}.`;
      for (const field of inlined.fields.values()) fields.set(field.name, { ...field, via: via + field.via });
      if (fieldRow.p !== undefined) byNumber.set(fieldRow.p, inlined);
      continue;
    }
    const omit = fieldRow.o ?? 0;
    const field: GoField = {
      name: fieldRow.n,
      type: parseGoType(fieldRow.t),
      named: parseGoType(fieldRow.g ?? fieldRow.t),
      via: '',
      omitEmpty: (omit & 1) !== 0,
      omitZero: (omit & 2) !== 0,
      row: fieldRow,
    };
    fields.set(field.name, field);
    if (fieldRow.p !== undefined) byNumber.set(fieldRow.p, field);
  }
  return { name, fields, byNumber, atomic: row.atomic === true };
}

/** CRD schema types that are either a schema or another value, with custom unmarshalers. */
export const SCHEMA_UNIONS: ReadonlySet<string> = new Set([
  'JSONSchemaPropsOrArray',
  'JSONSchemaPropsOrBool',
  'JSONSchemaPropsOrStringArray',
]);

const SCALAR_NAMES: Readonly<Record<string, string>> = {
  Quantity: 'resource.Quantity',
  bytes: '[]uint8',
  // Read from strings, which the decoder tries first.
  Time: 'string',
  MicroTime: 'string',
  Duration: 'string',
};

/** Returns the name of a type in Go's errors: `int32`, `[]string`, `v1.PodSpec`. */
export function goTypeName(type: GoType): string {
  switch (type.type) {
    case 'pointer':
      return goTypeName(type.of);
    case 'list':
      return `[]${goTypeName(type.of)}`;
    case 'map':
      return `map[string]${goTypeName(type.of)}`;
    case 'struct':
      return type.name.slice(type.name.indexOf('/') + 1);
    case 'scalar':
      return ownMember(SCALAR_NAMES, type.name) ?? type.name;
  }
}

/** Returns `PodSpec` for `core/v1.PodSpec`. */
export function shortStructName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
