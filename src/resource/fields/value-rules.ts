import { formatsOf, isForOtherTypes } from '../../api/schema/formats.js';
import type { ValidationRule } from '../../api/schema/json-schema.js';
import type { Problem } from '../model-error.js';
import { enumValues } from './enum-values.js';
import type { ValueOptions } from '../decorators/field-options.js';
import { re2Problem } from './re2.js';
import { describeType, type SchemaRules, type ValueModel } from './value-model.js';

type Type = ValueModel['type'];

/** The types that each keyword applies to. */
const APPLIES: Readonly<Partial<Record<keyof SchemaRules, readonly Type[]>>> = {
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  exclusiveMinimum: ['integer', 'number'],
  exclusiveMaximum: ['integer', 'number'],
  multipleOf: ['integer', 'number'],
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  minItems: ['array'],
  maxItems: ['array'],
  minProperties: ['object'],
  maxProperties: ['object'],
  'x-kubernetes-list-type': ['array'],
  'x-kubernetes-list-map-keys': ['array'],
  'x-kubernetes-map-type': ['object'],
};

const SAME_NAME = [
  'title',
  'externalDocs',
  'format',
  'default',
  'example',
  'nullable',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
] as const satisfies readonly (keyof SchemaRules & keyof ValueOptions)[];

/** Returns the schema keywords for options. */
export function rulesOf(options: ValueOptions): SchemaRules {
  const { enum: values, pattern, validations = [] } = options;
  const rules: Record<string, unknown> = {
    ...Object.fromEntries(SAME_NAME.map((name) => [name, options[name]])),
    ...Object.fromEntries(Object.entries(OWN_NAMES).map(([name, keyword]) => [keyword, options[name as OwnName]])),
    enum: values && enumValues(values),
    pattern: typeof pattern === 'object' ? pattern.source.replaceAll('\\/', '/') : pattern,
    'x-kubernetes-validations': validations.length > 0 ? validations.map(copyOfRule) : undefined,
  };
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
}

/** Options with a different keyword. */
const OWN_NAMES = {
  listType: 'x-kubernetes-list-type',
  listMapKeys: 'x-kubernetes-list-map-keys',
  mapType: 'x-kubernetes-map-type',
  embeddedResource: 'x-kubernetes-embedded-resource',
} as const satisfies Partial<Record<keyof ValueOptions, keyof SchemaRules>>;

type OwnName = keyof typeof OWN_NAMES;

/** Validates the rules of a value of a type. */
export function ruleProblems(type: Type, rules: SchemaRules): Problem[] {
  return [
    ...misplacedRules(type, rules),
    ...numberProblems(rules),
    ...(type === 'integer' ? brokenBounds(rules) : []),
    ...boundProblems(rules),
    ...formatProblems(type, rules),
    ...patternProblems(rules),
  ];
}

function misplacedRules(type: Type, rules: SchemaRules): Problem[] {
  if (type === undefined) return []; // each keyword applies to values of its own type
  return Object.entries(APPLIES)
    .filter(([keyword, types]) => rules[keyword as keyof SchemaRules] !== undefined && !types.includes(type))
    .map(([keyword]) => [`${shown(keyword)} is not valid for ${describeType(type)}`, `remove ${shown(keyword)}`]);
}

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;
const BOUNDS = ['minimum', 'maximum', 'multipleOf'] as const;

function* numberProblems(rules: SchemaRules): Generator<Problem> {
  for (const name of COUNTS) {
    const count = rules[name];
    if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0))
      yield [`${name} ${count} is not a non-negative integer`, `${name}: 1`];
  }
  for (const name of BOUNDS) {
    const bound = rules[name];
    if (bound !== undefined && !(Math.abs(bound) <= Number.MAX_SAFE_INTEGER))
      yield [
        `${name} ${bound} cannot be represented exactly in JSON`,
        `${name}: ${Math.sign(bound) * Number.MAX_SAFE_INTEGER}`,
      ];
  }
  if (rules.multipleOf !== undefined && rules.multipleOf <= 0)
    yield [`multipleOf ${rules.multipleOf} is not positive`, 'multipleOf: 1'];
}

/** Reports bounds with which the server rejects every integer. */
function* brokenBounds(rules: SchemaRules): Generator<Problem> {
  for (const name of BOUNDS) {
    const bound = rules[name] ?? 0;
    if (Number.isFinite(bound) && !Number.isInteger(bound))
      yield [`${name} ${bound} must be an integer`, `${name}: ${Math.ceil(bound)}`];
  }
}

const PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

function* boundProblems(rules: SchemaRules): Generator<Problem> {
  for (const [low, high] of PAIRS) {
    const [from = -Infinity, to = Infinity] = [rules[low], rules[high]];
    if (from > to) yield [`${low} ${from} is greater than ${high} ${to}`, `${low}: ${to}, ${high}: ${from}`];
  }
  const isExclusive = rules.exclusiveMinimum === true || rules.exclusiveMaximum === true;
  if (isExclusive && rules.minimum !== undefined && rules.minimum === rules.maximum)
    yield ['no value satisfies its bounds', 'remove exclusiveMinimum and exclusiveMaximum'];
}

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

function* formatProblems(type: Type, rules: SchemaRules): Generator<Problem> {
  const { format } = rules;
  if (format === undefined || type === undefined) return;
  const known = formatsOf(type);
  // The API server accepts unknown formats too.
  if (isForOtherTypes(format, type))
    yield [
      `format '${format}' is not valid for ${describeType(type)}`,
      known.length > 0 ? `use one of ${known.join(', ')}` : 'remove format',
    ];
  if (format === 'int32' && isBeyondInt32(rules)) yield ['bounds exceed the range of int32', `format: 'int64'`];
}

function isBeyondInt32({ minimum = 0, maximum = 0 }: SchemaRules): boolean {
  return [minimum, maximum].some((bound) => bound < INT32.min || bound > INT32.max);
}

function* patternProblems({ pattern }: SchemaRules): Generator<Problem> {
  const problem = pattern === undefined ? undefined : re2Problem(pattern);
  if (problem !== undefined) yield [`pattern ${problem}, which the API server does not support`, 'use an RE2 pattern'];
}

function shown(keyword: string): string {
  const own = Object.entries(OWN_NAMES).find(([, name]) => name === keyword);
  return own?.[0] ?? keyword;
}

/** @throws TypeError for an object that is not a rule, such as an argument that no type check has seen. */
function copyOfRule(rule: ValidationRule): ValidationRule {
  if (typeof (rule as Partial<ValidationRule>).rule !== 'string')
    throw new TypeError('a CEL rule needs the string rule');
  return { ...rule };
}

/** Merges the rules of a class and of a field with that class as type: the field's take precedence, CEL rules add up. */
export function mergedSchemaRules(ofClass: SchemaRules, ofField: SchemaRules): SchemaRules {
  const validations = [ofClass, ofField].flatMap((rules) => rules['x-kubernetes-validations'] ?? []);
  const rules = { ...ofClass, ...ofField };
  return validations.length > 0 ? { ...rules, 'x-kubernetes-validations': validations } : rules;
}
