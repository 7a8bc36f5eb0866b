import { BOOLEAN, NUMBER, SCALAR, STRING, UNTYPED, type MergeMap, type MergeType } from '../schema/merge-type.js';
import { goMergeType } from '../schema/go-merge-type.js';
import {
  isEmbeddedResource,
  isIntOrString,
  preservesUnknown,
  type StructuralSchema,
} from '../../crd/schema/structural-schema.js';

/** Returns how objects of a structural schema merge; the root is a complete resource and never atomic. */
export function structuralMergeType(schema: StructuralSchema): MergeMap {
  const root = ofObject({ ...schema, 'x-kubernetes-embedded-resource': true }, preservesUnknown(schema));
  return { ...root, atomic: false };
}

/** @param isKept whether unknown fields are preserved; in merging, all nested schemas inherit this */
function ofSchema(schema: StructuralSchema, isKept: boolean): MergeType {
  if (isIntOrString(schema)) return UNTYPED;
  if (schema.type === 'array') return ofArray(schema, isKept || preservesUnknown(schema));
  if (schema.type === 'object') return ofObject(schema, isKept || preservesUnknown(schema));
  if (schema.type === undefined) return UNTYPED;
  return ofScalar(schema);
}

function ofArray(schema: StructuralSchema, isKept: boolean): MergeType {
  const item = schema.items ? ofSchema(schema.items, isKept) : UNTYPED;
  const listType = schema['x-kubernetes-list-type'] ?? 'atomic';
  return {
    type: 'list',
    listType,
    keys: schema['x-kubernetes-list-map-keys'] ?? [],
    item,
    patchStrategy: '',
    mergeKey: '',
  };
}

function ofObject(schema: StructuralSchema, isKept: boolean): MergeMap {
  const { properties = {} } = schema;
  const members = new Map<string, MergeType>(isEmbeddedResource(schema) ? resourceFields() : []);
  const isStruct = members.size > 0 || Object.keys(properties).length > 0;
  const rest = ofAdditional(schema, isKept, isStruct);
  return {
    type: 'map',
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    patchStrategy: '',
    field(name) {
      let type = members.get(name);
      if (type) return type;
      const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!member) return rest;
      members.set(name, (type = ofSchema(member, isKept)));
      return type;
    },
    isStructField: (name) => members.has(name) || Object.hasOwn(properties, name),
    keyDefault: (name) => (Object.hasOwn(properties, name) ? properties[name]?.default : undefined),
  };
}

function resourceFields(): readonly (readonly [string, MergeType])[] {
  return [
    ['apiVersion', STRING],
    ['kind', STRING],
    ['metadata', goMergeType('meta/v1.ObjectMeta')],
  ];
}

/** Returns the type of additional properties: an object without any declaration accepts anything. */
function ofAdditional(
  { additionalProperties }: StructuralSchema,
  isKept: boolean,
  isStruct: boolean,
): MergeType | undefined {
  if (typeof additionalProperties === 'object') return ofSchema(additionalProperties, isKept);
  return (additionalProperties ?? (isKept || !isStruct)) ? UNTYPED : undefined;
}

/** Returns the type of a scalar; structured-merge-diff checks only strings without a format. */
function ofScalar({ type, format = '' }: StructuralSchema): MergeType {
  if (type === 'integer' || type === 'number') return NUMBER;
  if (type === 'boolean') return BOOLEAN;
  return type === 'string' && (format === '' || format === 'byte') ? STRING : SCALAR;
}
