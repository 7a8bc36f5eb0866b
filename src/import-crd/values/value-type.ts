import type { JsonSchema } from '../../api/json-schema.js';
import type { Value } from '../classes/class-plan.js';
import { stringText } from '../source/literal.js';

/** The type of a value in TypeScript, before it is put in lines. */
export interface ValueType {
  readonly alternatives: readonly string[];
  /** What makes a list of them, or a list of lists. */
  readonly suffix: string;
}

export function typeText({ alternatives, suffix }: ValueType): string {
  const union = alternatives.join(' | ');
  return suffix !== '' && alternatives.length > 1 ? `(${union})${suffix}` : union + suffix;
}

/** Longer unions make maps and lists within lists harder to read than they help. */
const MAX_INNER_UNION = 60;

export function valueType(value: Value): ValueType {
  if (value.of === 'list' && value.schema.nullable !== true) {
    const { alternatives, suffix } = valueType(value.items);
    return { alternatives, suffix: `${suffix}[]` };
  }
  const types = alternativesOf(value);
  const isNullable = value.schema.nullable === true && !types.includes('unknown');
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

/** The type of an item or map value, of which a union has to be short. */
function innerType(value: Value): string {
  const text = typeText(valueType(value));
  return text.length <= MAX_INNER_UNION || value.of !== 'plain' ? text : schemaTypes(value.schema).join(' | ');
}

/** The values of a string that takes only some. */
function literals({ of, schema: { type, enum: values = [] } }: Value): string[] | undefined {
  const texts = values.flatMap((value) => (typeof value === 'string' ? [stringText(value)] : []));
  return of === 'plain' && type === 'string' && texts.length > 0 ? texts : undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'Record<string, unknown>',
};

/** What a schema tells without its members' names. */
function schemaTypes(schema: JsonSchema): string[] {
  const { type, items } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return ['string', 'number'];
  if (schema['x-kubernetes-embedded-resource'] === true) return ['UnstructuredObject'];
  if (type === 'array') return [typeText({ alternatives: items ? schemaTypes(items) : ['unknown'], suffix: '[]' })];
  return [type === undefined ? 'unknown' : (TYPES[type] ?? 'unknown')];
}
