import type { JsonSchema } from '../../api/schema/json-schema.js';
import { ownMember } from '../../base/own-member.js';
import type { Value } from '../class-plan.js';
import { SITE_KEYWORDS } from './expressible.js';
import { holdsBigint } from './value-type.js';
import { Code, Typed } from '../source/literal.js';

/** Options of `@Field`, of items or of map values, as a literal. */
export type Options = Readonly<Record<string, unknown>>;

const SHORT: Readonly<Record<string, Code>> = { string: new Code('String'), boolean: new Code('Boolean') };

/** Option names by keyword, where they differ. */
const OPTION_NAMES: Readonly<Record<string, string>> = {
  'x-kubernetes-preserve-unknown-fields': 'preserveUnknownFields',
  'x-kubernetes-embedded-resource': 'embeddedResource',
  'x-kubernetes-list-type': 'listType',
  'x-kubernetes-list-map-keys': 'listMapKeys',
  'x-kubernetes-map-type': 'mapType',
  'x-kubernetes-validations': 'validations',
};

/** Keywords that are not expressed as options. */
const STRUCTURE = ['type', 'items', 'additionalProperties', 'properties', 'required', 'x-kubernetes-int-or-string'];

/** Options in the order of best readability; others come last. */
const ORDER = ['title', 'format', 'enum', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'default'];

/** Returns the options of an item or map value, including its description; only the type if it is the only option. */
function memberOptions(value: Value): unknown {
  const { description } = value.schema;
  const options = defined({
    ...typeOptions(value, false),
    ...(value.of !== 'exact' && !hasClassDescription(value) && { description }),
    ...ruleOptions(value),
  });
  return Object.keys(options).join() === 'type' ? options['type'] : options;
}

/** Returns the options of a field, without its description; plain types are left to the compiler metadata. */
export function fieldOptions(value: Value, hasDeclaredType = true): Options {
  return defined({ ...typeOptions(value, hasDeclaredType && isInMetadata(value)), ...ruleOptions(value) });
}

/** Returns the keywords of a schema as options. */
export function keywordOptions(schema: JsonSchema, omitted: readonly string[] = []): Options {
  const rank = (keyword: string): number => (ORDER.includes(keyword) ? ORDER.indexOf(keyword) : ORDER.length);
  const entries = Object.entries(schema)
    .filter(([keyword]) => keyword !== 'description' && !omitted.includes(keyword))
    .sort(([a], [b]) => rank(a) - rank(b));
  return Object.fromEntries(entries.map(([keyword, value]) => [ownMember(OPTION_NAMES, keyword) ?? keyword, value]));
}

function ruleOptions({ of, schema }: Value): Options {
  if (of === 'exact') return {};
  if (of === 'class')
    return keywordOptions(
      schema,
      Object.keys(schema).filter((name) => !SITE_KEYWORDS.includes(name)),
    );
  return keywordOptions(schema, schema['x-kubernetes-int-or-string'] ? [...STRUCTURE, 'anyOf'] : STRUCTURE);
}

function typeOptions(value: Value, isTypeNoted: boolean): Options {
  const { schema } = value;
  switch (value.of) {
    case 'exact':
      return { schema: withTypedProperties(schema) };
    case 'class':
      return { ...(!isTypeNoted && { type: new Code(value.target.name) }), ...value.target.options };
    case 'list':
      return { items: memberOptions(value.items) };
    case 'map':
      return { values: memberOptions(value.values) };
    case 'plain':
      return plainType(schema, isTypeNoted);
  }
}

function plainType(schema: JsonSchema, isTypeNoted: boolean): Options {
  const { type, additionalProperties } = schema;
  if (schema['x-kubernetes-int-or-string']) return { intOrString: true };
  if (additionalProperties === true) return { values: true };
  if (type === undefined || (type === 'object' && schema['x-kubernetes-embedded-resource'])) return {};
  return isTypeNoted && isImpliedByType(schema) ? {} : { type: SHORT[type] ?? type };
}

/** Returns true if the type in the compiler metadata is the complete schema. */
function isImpliedByType({ type = 'object', format = '' }: JsonSchema): boolean {
  return NUMERIC[type]?.includes(format) ?? Object.hasOwn(SHORT, type);
}

/** Formats of each numeric type. */
const NUMERIC: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

function isInMetadata({ of, schema }: Value): boolean {
  const { type, nullable } = schema;
  return nullable !== true && !holdsBigint(schema) && (of === 'class' || (type !== 'object' && type !== undefined));
}

/**
 * Adds a type to a schema with a property such as `constructor`, for which the compiler expects an inherited member.
 */
function withTypedProperties(schema: JsonSchema): Options {
  const members = Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
    if (keyword === 'properties') return [keyword, typedProperties(schema.properties ?? {})];
    return [keyword, isSchema(keyword, value) ? withTypedProperties(value) : value];
  });
  return Object.fromEntries(members) as Options;
}

/** Applies `withTypedProperties` to schemas by name. */
export function typedProperties(properties: Readonly<Record<string, JsonSchema>>): Options {
  const members = Object.entries(properties).map(([name, property]) => {
    const schema = withTypedProperties(property);
    return [name, name !== '__proto__' && name in Object.prototype ? new Typed(schema, 'JsonSchema') : schema];
  });
  return Object.fromEntries(members) as Options;
}

function isSchema(keyword: string, value: unknown): value is JsonSchema {
  return ['items', 'additionalProperties', 'not'].includes(keyword) && typeof value === 'object';
}

/** Returns true if the class of a value has a description. */
function hasClassDescription(value: Value): boolean {
  return value.of === 'class' && value.target.description === value.schema.description;
}

function defined(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, option]) => option !== undefined));
}
