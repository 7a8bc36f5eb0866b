import { acceptsNull, isIntOrString, type StructuralSchema } from './structural-schema.js';

/** A JSON Schema (draft 7) with the two custom keywords below. */
export type KeywordSchema = Readonly<Record<string, unknown>>;

/** Validates a number against the schema in the keyword's value, with the API server's rules. */
export const NUMBER = 'x-kindwright-number';
/** Validates a string against a format, with the API server's rules. */
export const FORMAT = 'x-kindwright-format';

const COPIED = ['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'maxProperties', 'minProperties'];
const CONDITIONS = ['allOf', 'anyOf', 'oneOf'] as const;
const NULL: KeywordSchema = { type: 'null' };

/** Converts a structural schema to an equivalent JSON Schema; undefined where JSON Schema libraries differ. */
export function keywordSchema(schema: StructuralSchema): KeywordSchema | undefined {
  try {
    return convert(schema);
  } catch (error) {
    if (error instanceof NotRepresentable) return undefined;
    throw error;
  }
}

/** ajv skips properties with this name. */
const SKIPPED_NAME = '__proto__';

class NotRepresentable extends Error {}

function convert(schema: StructuralSchema): KeywordSchema {
  const type = isIntOrString(schema) ? ['integer', 'string'] : typeOf(schema);
  const own = {
    ...(type !== undefined && { type }),
    ...enumKeyword(schema),
    ...Object.fromEntries(COPIED.flatMap((keyword) => given(schema, keyword))),
    ...numberKeywords(schema),
    ...(schema.format !== undefined && { [FORMAT]: schema.format }),
    ...members(schema),
  };
  const conditions = conditionsOf(schema);
  const hasConditions = Object.keys(conditions).length > 0;
  // Conditions do not apply to null, which is accepted here only by a schema without a type.
  if (acceptsNull(schema)) return { anyOf: [NULL, { ...own, ...conditions }] };
  if (hasConditions && type === undefined) return { ...own, allOf: [{ anyOf: [NULL, conditions] }] };
  return { ...own, ...conditions };
}

/** The API server accepts no null for an enum, even if the enum lists it. */
function enumKeyword({ enum: values }: StructuralSchema): KeywordSchema {
  if (values === undefined) return {};
  const others = values.filter((value) => value !== null);
  if (others.length === 0) throw new NotRepresentable();
  return { enum: others };
}

/** The API server accepts lists where a non-numeric type has a format. */
function typeOf({ type, format = '' }: StructuralSchema): string | readonly string[] | undefined {
  const isNumeric = type === 'integer' || type === 'number';
  return type === undefined || isNumeric || format === '' ? type : [type, 'array'];
}

function given(schema: StructuralSchema, keyword: string): [string, unknown][] {
  const value = (schema as Readonly<Record<string, unknown>>)[keyword];
  return value === undefined ? [] : [[keyword, value]];
}

function numberKeywords(schema: StructuralSchema): KeywordSchema {
  const { type, format = '', minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum } = schema;
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
  if (bounds.length === 0 && multipleOf === undefined && !RANGED.has(format)) return {};
  const isPlain = type === 'integer' && format === '' && multipleOf === undefined;
  if (isPlain && bounds.every(Number.isSafeInteger)) return integerBounds(schema);
  return { [NUMBER]: { type, format, minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum } };
}

function integerBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: StructuralSchema): KeywordSchema {
  return {
    ...(minimum !== undefined && { [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

const RANGED: ReadonlySet<string> = new Set(['int32', 'int64']);

function members({ properties, required, items, additionalProperties }: StructuralSchema): KeywordSchema {
  const names = [...Object.keys(properties ?? {}), ...(required ?? [])];
  if (names.includes(SKIPPED_NAME)) throw new NotRepresentable();
  return {
    ...(properties && { properties: mapValues(properties, convert) }),
    ...(required && { required }),
    ...(items && { items: convert(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: convert(additionalProperties) }),
  };
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

function conditionsOf(schema: StructuralSchema): KeywordSchema {
  const lists = CONDITIONS.flatMap((keyword) => {
    const parts = schema[keyword];
    return parts ? [[keyword, parts.map(convert)] as const] : [];
  });
  return { ...Object.fromEntries(lists), ...(schema.not && { not: convert(schema.not) }) };
}
