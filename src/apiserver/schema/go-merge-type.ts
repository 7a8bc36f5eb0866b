import { zeroScalar } from './go-scalar.js';
import { goStruct, shortStructName, type GoField, type GoType } from './go-type.js';
import { BOOLEAN, NUMBER, SCALAR, STRING, UNTYPED, WHOLE, type MergeMap, type MergeType } from './merge-type.js';

const structs = new Map<string, MergeMap>();

/** Returns how objects of a Go struct are merged. */
export function goMergeType(structName: string): MergeMap {
  let type = structs.get(structName);
  if (!type) {
    type = compile(structName);
    structs.set(structName, type);
  }
  return type;
}

function compile(structName: string): MergeMap {
  const struct = goStruct(structName);
  const members = new Map<string, MergeType>();
  return {
    type: 'map',
    atomic: struct.atomic,
    structName: shortStructName(structName),
    patchStrategy: '',
    field(name) {
      // In OpenAPI, a struct without fields is an object with arbitrary fields.
      if (struct.fields.size === 0) return UNTYPED;
      let member = members.get(name);
      const field = struct.fields.get(name);
      if (!member && field) {
        member = ofField(field);
        members.set(name, member);
      }
      return member;
    },
    isStructField: (name) => struct.fields.has(name),
    keyDefault: (name) => keyDefault(struct.fields.get(name)),
  };
}

/** Returns the default of a required field: OpenAPI declares the zero value of its type. */
function keyDefault(field: GoField | undefined): unknown {
  if (!field || field.row.d !== undefined) return field?.row.d;
  return field.omitEmpty || field.type.type !== 'scalar' ? undefined : zeroScalar(field.type.name);
}

function ofField(field: GoField): MergeType {
  const type = field.type.type === 'pointer' ? field.type.of : field.type;
  if (type.type === 'list') return ofList(field, type.of);
  const member = ofType(type);
  const strategy = field.row.s ?? '';
  if (member.type !== 'map') return member;
  const { l: relationship } = field.row;
  if (relationship === undefined && strategy === '') return member;
  return { ...member, atomic: relationship ? relationship === 'atomic' : member.atomic, patchStrategy: strategy };
}

function ofList({ row }: GoField, item: GoType): MergeType {
  const strategy = row.s ?? '';
  const merges = strategy.split(',').includes('merge');
  const shared = { type: 'list', item: ofType(item), patchStrategy: strategy, mergeKey: row.m ?? '' } as const;
  if (row.l !== undefined) return { ...shared, listType: row.l as 'atomic' | 'set' | 'map', keys: row.k ?? [] };
  if (merges)
    return row.m === undefined
      ? { ...shared, listType: 'set', keys: [] }
      : { ...shared, listType: 'map', keys: [row.m] };
  return { ...shared, listType: 'atomic', keys: [] };
}

function ofType(type: GoType): MergeType {
  switch (type.type) {
    case 'pointer':
      return ofType(type.of);
    case 'scalar':
      return ofScalar(type.name);
    case 'struct':
      return goMergeType(type.name);
    case 'list':
      return { type: 'list', listType: 'atomic', keys: [], item: ofType(type.of), patchStrategy: '', mergeKey: '' };
    case 'map': {
      const values = ofType(type.of);
      return { type: 'map', atomic: false, field: () => values, patchStrategy: '', keyDefault: () => undefined };
    }
  }
}

/**
 * Returns the merge type of a scalar as in the OpenAPI document: times, quantities and similar types accept any scalar,
 * IntOrString and raw values anything.
 */
function ofScalar(name: string): MergeType {
  if (name === 'RawExtension') return WHOLE;
  if (name === 'IntOrString' || name.startsWith('JSON') || name === 'FieldsV1') return UNTYPED;
  if (name === 'string' || name === 'bytes' || name === 'Duration') return STRING;
  if (name === 'bool') return BOOLEAN;
  return /^(u?int|float)/.test(name) ? NUMBER : SCALAR;
}
