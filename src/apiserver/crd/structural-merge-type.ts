import { BOOLEAN, NUMBER, SCALAR, STRING, UNTYPED, type MergeMap, type MergeType } from '../schema/merge-type.js';
import { goMergeType } from '../schema/go-merge-type.js';
import { isIntOrString, preservesUnknown, type StructuralSchema } from '../../crd/schema/structural-schema.js';

/** How objects of a structural schema merge; the root of a resource has Kubernetes' own metadata. */
export function structuralMergeType(schema: StructuralSchema): MergeMap {
  const members = new Map<string, MergeType | undefined>();
  const metadata = goMergeType('meta/v1.ObjectMeta');
  const body = ofSchema(schema);
  return {
    k: 'map',
    atomic: false,
    patchStrategy: '',
    field(name) {
      if (name === 'metadata') return metadata;
      if (name === 'apiVersion' || name === 'kind') return STRING;
      if (!members.has(name)) members.set(name, body.k === 'map' ? body.field(name) : UNTYPED);
      return members.get(name);
    },
    isStructField: (name) =>
      name === 'metadata' || name === 'apiVersion' || name === 'kind' || schema.properties?.[name] !== undefined,
    keyDefault: () => undefined,
  };
}

function ofSchema(schema: StructuralSchema): MergeType {
  if (isIntOrString(schema)) return UNTYPED;
  if (schema.type === 'array') return ofArray(schema);
  if (schema.type === 'object') return ofObject(schema);
  if (schema.type === undefined) return UNTYPED;
  return ofScalar(schema);
}

function ofArray(schema: StructuralSchema): MergeType {
  const item = schema.items ? ofSchema(schema.items) : UNTYPED;
  const listType = schema['x-kubernetes-list-type'] ?? 'atomic';
  return {
    k: 'list',
    listType,
    keys: schema['x-kubernetes-list-map-keys'] ?? [],
    item,
    patchStrategy: '',
    mergeKey: '',
  };
}

function ofObject(schema: StructuralSchema): MergeType {
  const { properties = {}, additionalProperties } = schema;
  const isFree = Object.keys(properties).length === 0 && typeof additionalProperties !== 'object';
  if (isFree && preservesUnknown(schema)) return UNTYPED;
  const members = new Map<string, MergeType>();
  const isOpen = typeof additionalProperties === 'object' || additionalProperties === true || preservesUnknown(schema);
  const values = typeof additionalProperties === 'object' ? ofSchema(additionalProperties) : UNTYPED;
  return {
    k: 'map',
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    patchStrategy: '',
    field(name) {
      const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!member) return isOpen ? values : undefined;
      let type = members.get(name);
      if (!type) members.set(name, (type = ofSchema(member)));
      return type;
    },
    isStructField: (name) => Object.hasOwn(properties, name),
    keyDefault: (name) => (Object.hasOwn(properties, name) ? properties[name]?.default : undefined),
  };
}

/** Only strings without a format are strings to structured-merge-diff. */
function ofScalar({ type, format = '' }: StructuralSchema): MergeType {
  if (type === 'integer' || type === 'number') return NUMBER;
  if (type === 'boolean') return BOOLEAN;
  return type === 'string' && (format === '' || format === 'byte') ? STRING : SCALAR;
}
