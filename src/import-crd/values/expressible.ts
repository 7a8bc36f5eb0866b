import { isForOtherTypes } from '../../api/schema/formats.js';
import type { JsonSchema } from '../../api/schema/json-schema.js';
import { deepEqual } from '../../base/deep-equal.js';
import { hasPlainConditions, INT_OR_STRING } from './plain-conditions.js';

/** Keywords that are valid for values of any type. */
export const SITE_KEYWORDS: readonly string[] = [
  'description',
  'title',
  'externalDocs',
  'default',
  'example',
  'nullable',
] satisfies readonly (keyof JsonSchema)[];

/** Keywords of an object with fields, which its class expresses. */
const CLASS_KEYWORDS: readonly string[] = [
  'type',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] satisfies readonly (keyof JsonSchema)[];

const ANY_TYPE: readonly string[] = [
  ...SITE_KEYWORDS,
  'type',
  'format',
  'enum',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'x-kubernetes-validations',
];

/** Keywords that are valid for one type only, by type. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys'],
  object: [
    'additionalProperties',
    'minProperties',
    'maxProperties',
    'x-kubernetes-map-type',
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-embedded-resource',
  ],
} satisfies Record<string, readonly (keyof JsonSchema)[]>;

const UNTYPED = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern'],
];

/** Returns true if an object can be a class: it has fields, and all their names are valid in a class. */
export function isClassLike(schema: JsonSchema): boolean {
  const names = Object.keys(schema.properties ?? {});
  const isKnown = (keyword: string): boolean => SITE_KEYWORDS.includes(keyword) || CLASS_KEYWORDS.includes(keyword);
  return (
    schema.type === 'object' &&
    names.length > 0 &&
    names.every(isFieldName) &&
    Object.keys(schema).every(isKnown) &&
    isSound(schema)
  );
}

/** Returns true if options can express the schema of a value, without its items and map values. */
export function isExpressible(schema: JsonSchema): boolean {
  const known = keywordsOf(schema);
  if (!Object.keys(schema).every((keyword) => known.includes(keyword))) return false;
  return (
    isSound(schema) &&
    hasPlainNumbers(schema) &&
    hasPlainEnum(schema) &&
    hasPlainMembers(schema) &&
    hasPlainFormat(schema)
  );
}

function hasPlainMembers({ type, items, additionalProperties }: JsonSchema): boolean {
  return (type !== 'array' || (items !== undefined && !Array.isArray(items))) && additionalProperties !== false;
}

function hasPlainFormat({ type, format }: JsonSchema): boolean {
  return format === undefined || type === undefined || !isForOtherTypes(format, type);
}

/** Returns true if the items of a list that is merged by keys have these keys. */
export function hasPlainKeys(schema: JsonSchema): boolean {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] !== 'map') return schema['x-kubernetes-list-map-keys'] === undefined;
  const { items = {} } = schema;
  if (!isClassLike(items)) return true;
  return keys.length > 0 && keys.every((key) => isPlainKey(key, items)) && items.nullable !== true;
}

function isPlainKey(key: string, { properties = {}, required = [] }: JsonSchema): boolean {
  const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (field?.type === undefined || field.type === 'array' || field.type === 'object') return false;
  return field.nullable !== true && (required.includes(key) || field.default !== undefined);
}

function keywordsOf(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  if (type !== undefined) return [...ANY_TYPE, ...(OF_TYPE[type] ?? [])];
  if (schema['x-kubernetes-int-or-string'] === true) return [...ANY_TYPE, ...UNTYPED, 'x-kubernetes-int-or-string'];
  return [...ANY_TYPE.filter((name) => name !== 'x-kubernetes-validations'), 'x-kubernetes-preserve-unknown-fields'];
}

/** Returns true for objects that can be expressed, with or without fields. */
function isSound(schema: JsonSchema): boolean {
  if (SWITCHES.some((keyword) => schema[keyword] === false) || hasEmptyKeyword(schema)) return false;
  return isOfSomeType(schema) && isPlainPattern(schema.pattern) && hasPlainConditions(schema);
}

/** Returns true if a keyword has no effect; options would omit it. */
function hasEmptyKeyword(schema: JsonSchema): boolean {
  if (schema.description === '' || schema.default === null || schema.example === null) return true;
  return schema['x-kubernetes-validations']?.length === 0 || schema.required?.length === 0;
}

function isOfSomeType(schema: JsonSchema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return deepEqual(schema.anyOf, INT_OR_STRING);
  return schema.type !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
}

/** Keywords that options support only as true. */
const SWITCHES = [
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
] as const satisfies readonly (keyof JsonSchema)[];

export function isFieldName(name: string): boolean {
  return name !== '__proto__' && name !== 'constructor' && name.length <= 253 && !/^$|\p{C}/u.test(name);
}

/** Returns true if a pattern means the same in JavaScript and in the API server's RE2. */
function isPlainPattern(pattern: string | undefined): boolean {
  if (pattern === undefined) return true;
  if (/\(\?(?!:)|\\[1-9ucCkpPQEAzZ]|\[\^?\]|\[\[:|\{\d{4}|,\d{4}/.test(pattern)) return false;
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

function hasPlainEnum(schema: JsonSchema): boolean {
  const { enum: values, type, pattern, nullable } = schema;
  if (values === undefined) return true;
  if (values.length === 0 || new Set(values).size < values.length || pattern !== undefined) return false;
  return values.every((value) => (value === null ? nullable === true : isScalarOf(type, value)));
}

function isScalarOf(type: JsonSchema['type'], value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  return type === typeof value && type !== 'object';
}

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;
const BOUNDS = ['minimum', 'maximum', 'multipleOf'] as const;
const PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;
const INT32 = 2 ** 31;

/** Returns true if counts and bounds are valid for options: exact, in order, and within the format. */
function hasPlainNumbers(schema: JsonSchema): boolean {
  if (!COUNTS.every((name) => isCount(schema[name] ?? 0))) return false;
  if (!BOUNDS.every((name) => Math.abs(schema[name] ?? 0) <= Number.MAX_SAFE_INTEGER)) return false;
  if (PAIRS.some(([low, high]) => (schema[low] ?? -Infinity) > (schema[high] ?? Infinity))) return false;
  if (schema.type === 'integer' && !BOUNDS.every((name) => Number.isInteger(schema[name] ?? 0))) return false;
  return isWide(schema) && isWithinFormat(schema) && isDivisor(schema);
}

/** Returns true if the bounds leave a nonempty range. */
function isWide({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): boolean {
  return minimum === undefined || minimum !== maximum || !(exclusiveMinimum ?? exclusiveMaximum);
}

function isWithinFormat({ format, minimum, maximum }: JsonSchema): boolean {
  return format !== 'int32' || [minimum, maximum].every((bound = 0) => bound >= -INT32 && bound < INT32);
}

/** The remainder of a division of fractions is inexact. */
function isDivisor({ multipleOf = 1, ...schema }: JsonSchema): boolean {
  return multipleOf > 0 && (schema.default === undefined || Number.isInteger(multipleOf));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
