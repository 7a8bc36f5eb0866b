import type { JsonSchema } from '../../api/schema/json-schema.js';
import type { Value } from '../class-plan.js';
import { stringText } from '../source/literal.js';

/** The TypeScript type of a value, before it is broken into lines. */
export interface ValueType {
  readonly alternatives: readonly string[];
  /** The suffix for a list or nested list. */
  readonly suffix: string;
}

export function typeText({ alternatives, suffix }: ValueType): string {
  const union = alternatives.join(' | ');
  return suffix !== '' && alternatives.length > 1 ? `(${union})${suffix}` : union + suffix;
}

/** Longer unions inside maps and lists are hard to read. */
const MAX_INNER_UNION = 60;

export function valueType(value: Value): ValueType {
  if (value.of === 'list' && value.schema.nullable !== true) {
    const { alternatives, suffix } = valueType(value.items);
    return { alternatives, suffix: `${suffix}[]` };
  }
  const types = alternativesOf(value);
  // The API server never accepts null for an enum.
  const isNullable = value.schema.nullable === true && !value.schema.enum && !types.includes('unknown');
  return { alternatives: isNullable ? [...types, 'null'] : types, suffix: '' };
}

function alternativesOf(value: Value): string[] {
  switch (value.of) {
    case 'class':
      return [value.target.name];
    case 'list':
      return [typeText({ alternatives: [innerType(value.items)], suffix: '[]' })];
    case 'map':
      return [`Record<string, ${innerType(value.values)}>`];
    default:
      return literals(value) ?? schemaTypes(value.schema);
  }
}

/** Returns the type of an item or map value; long unions are replaced. */
function innerType(value: Value): string {
  const text = typeText(valueType(value));
  return text.length <= MAX_INNER_UNION || value.of !== 'plain' ? text : schemaTypes(value.schema).join(' | ');
}

/** Returns the literals of a string enumeration. */
function literals({ of, schema: { type, enum: values = [] } }: Value): string[] | undefined {
  const texts = values.flatMap((value) => (typeof value === 'string' ? [stringText(value)] : []));
  return of === 'plain' && type === 'string' && texts.length > 0 ? texts : undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  object: 'Record<string, unknown>',
};

/** Returns true for an integer that can be beyond 2^53, where parsed JSON contains a bigint. */
export function holdsBigint({ format, minimum = -Infinity, maximum = Infinity }: JsonSchema): boolean {
  return format === 'int64' && (minimum < Number.MIN_SAFE_INTEGER || maximum > Number.MAX_SAFE_INTEGER);
}

/** Returns the types of a schema without the names of its members. */
function schemaTypes(schema: JsonSchema): string[] {
  const { type, items } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return ['string', 'number'];
  if (schema['x-kubernetes-embedded-resource'] === true) return ['UnstructuredObject'];
  if (type === 'integer') return holdsBigint(schema) ? ['number', 'bigint'] : ['number'];
  if (type === 'array') return [typeText({ alternatives: items ? schemaTypes(items) : ['unknown'], suffix: '[]' })];
  return [type === undefined ? 'unknown' : (TYPES[type] ?? 'unknown')];
}
