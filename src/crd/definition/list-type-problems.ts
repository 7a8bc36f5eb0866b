import {
  invalidTyped,
  forbiddenField,
  invalidValue,
  notSupportedText,
  required,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { hasDefault, itemListOf, itemsOf, type SchemaProps } from '../schema-props.js';
import { goSchema } from './go-schema.js';

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_TYPE = 'x-kubernetes-map-type';
const KEYS = 'x-kubernetes-list-map-keys';

/** Returns the errors of list types and map types. */
export function listTypeProblems(schema: SchemaProps, field: string): FieldError[] {
  return [
    ...mapTypeProblems(schema, field),
    ...listProblems(schema, field),
    ...(schema[LIST_TYPE] === 'map' ? mapListProblems(schema, field) : []),
    ...itemProblems(schema, field),
  ];
}

function typeDemand(schema: SchemaProps, field: string, type: string, key: string): FieldError {
  const detail = `must be ${type} if ${key} is specified`;
  return schema.type === undefined || schema.type === ''
    ? required(`${field}.type`, detail)
    : invalidValue(`${field}.type`, schema.type, detail);
}

function mapTypeProblems(schema: SchemaProps, field: string): FieldError[] {
  const mapType = schema[MAP_TYPE];
  if (mapType === undefined) return [];
  return [
    ...(schema.type === 'object' ? [] : [typeDemand(schema, field, 'object', MAP_TYPE)]),
    ...(mapType === 'atomic' || mapType === 'granular'
      ? []
      : [notSupportedText(`${field}.${MAP_TYPE}`, mapType, ['atomic', 'granular'])]),
  ];
}

function listProblems(schema: SchemaProps, field: string): FieldError[] {
  const listType = schema[LIST_TYPE];
  const keys = schema[KEYS] ?? [];
  const errors: FieldError[] = [];
  if (listType !== undefined) {
    if (schema.type !== 'array') errors.push(typeDemand(schema, field, 'array', LIST_TYPE));
    else if (listType === 'set') errors.push(...setItemProblems(schema, field));
    if (!['atomic', 'set', 'map'].includes(listType))
      errors.push(notSupportedText(`${field}.${LIST_TYPE}`, listType, ['atomic', 'set', 'map']));
  }
  const detail = `must be map if ${KEYS} is non-empty`;
  if (keys.length > 0 && listType === undefined) errors.push(required(`${field}.${LIST_TYPE}`, detail));
  else if (keys.length > 0 && listType !== 'map') errors.push(invalidValue(`${field}.${LIST_TYPE}`, listType, detail));
  return errors;
}

/** Items of a set must be atomic. The value in the error is always the items' list type. */
function setItemProblems(schema: SchemaProps, field: string): FieldError[] {
  const items = itemsOf(schema);
  if (!items) return [];
  const listType = items[LIST_TYPE];
  const isSplit =
    items.type === 'array'
      ? listType !== undefined && listType !== 'atomic'
      : items.type === 'object' && items[MAP_TYPE] !== 'atomic';
  if (!isSplit) return [];
  const key = items.type === 'array' ? LIST_TYPE : MAP_TYPE;
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  return [invalidValue(`${field}.items.${key}`, listType, detail)];
}

function mapListProblems(schema: SchemaProps, field: string): FieldError[] {
  const [items, keys] = [itemsOf(schema), schema[KEYS] ?? []];
  const missing =
    keys.length === 0 ? [required(`${field}.${KEYS}`, 'must not be empty if x-kubernetes-list-type is map')] : [];
  if (!items) return [...missing, noItemSchema(schema, field)];
  if (items.type === 'object') return [...missing, ...keyProblems(keys, items, field)];
  const detail = "must be object if parent array's x-kubernetes-list-type is map";
  return [...missing, invalidValue(`${field}.items.type`, items.type ?? '', detail)];
}

function noItemSchema(schema: SchemaProps, field: string): FieldError {
  const list = itemListOf(schema);
  if (list.length === 0) return required(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map');
  const value = { Schema: null, JSONSchemas: list.map(goSchema) };
  return invalidTyped(`${field}.items`, value, 'must only have a single schema if x-kubernetes-list-type is map');
}

function keyProblems(keys: readonly string[], { type, properties = {} }: SchemaProps, field: string): FieldError[] {
  return keys.flatMap((key, index) => {
    const errors: FieldError[] = [];
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const refuse = (detail: string): number => errors.push(invalidTyped(`${field}.${KEYS}`, keys, detail));
    if (!property) refuse('entries must all be names of item properties');
    else if (property.type === 'array' || property.type === 'object')
      errors.push(
        invalidValue(
          `${field}.items.properties[${key}].type`,
          type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (keys.indexOf(key) < index) refuse('must not contain duplicate entries');
    return errors;
  });
}

/** Items of sets and maps, and their keys, must not be null or absent: validateMapListKeysMapSet. */
function itemProblems(schema: SchemaProps, field: string): FieldError[] {
  const [items, listType] = [itemsOf(schema), schema[LIST_TYPE]];
  if (!items || (listType !== 'set' && listType !== 'map')) return [];
  const errors =
    items.nullable === true
      ? [forbiddenField(`${field}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
      : [];
  return listType === 'set' ? errors : [...errors, ...keyValueProblems(schema, items, field)];
}

function keyValueProblems(schema: SchemaProps, items: SchemaProps, field: string): FieldError[] {
  const { properties = {}, required: needed = [] } = items;
  return (schema[KEYS] ?? []).flatMap((key) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const path = `${field}.items.properties[${key}]`;
    const why = `this property is in ${KEYS}, so it`;
    const isFilled = !property || needed.includes(key) || hasDefault(property);
    return [
      ...(isFilled ? [] : [required(`${path}.default`, `${why} must have a default or be a required property`)]),
      ...(property?.nullable === true ? [forbiddenField(`${path}.nullable`, `${why} cannot be nullable`)] : []),
    ];
  });
}
