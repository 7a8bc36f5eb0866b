import { ownMember } from '../../base/own-member.js';
import type { ValidationRule } from '../../api/schema/json-schema.js';
import { celRuleOf } from './constraint-cel-rules.js';
import type { Constraint } from './constraints.js';
import { re2Problem } from './re2.js';
import type { SchemaRules, ValueModel } from './value-model.js';

/** The effect of a constraint on the schema. */
export interface ConstraintEffect {
  /** The type that it applies to. */
  readonly type?: ValueModel['type'];
  readonly rules?: SchemaRules;
  /** Rules that apply to strings only; other values satisfy the constraint. */
  readonly stringRules?: SchemaRules;
  /** The CEL rule, where no keyword expresses the constraint. */
  readonly validation?: ValidationRule;
  /** Set when it applies to Date properties. */
  readonly isDate?: boolean;
  /** The code to write instead; set when a schema cannot express the constraint. */
  readonly instead?: string;
}

/** Undefined where no keyword expresses the constraint. */
type Effect = (args: readonly unknown[]) => ConstraintEffect | undefined;

const pattern =
  (source: string): Effect =>
  () => ({ type: 'string', rules: { pattern: source } });
const format =
  (name: string): Effect =>
  ([options]) =>
    options === undefined || options === null
      ? { type: 'string', rules: { format: name } }
      : { instead: `remove the options: the API server checks format '${name}' without any` };
const numeric =
  (keyword: 'minimum' | 'maximum' | 'multipleOf'): Effect =>
  ([bound]) => ({ type: 'number', rules: { [keyword]: bound as number } });

/** By class-validator's rule name. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  // The first three decide if the field is required, not which values it takes.
  isOptional: () => ({}),
  isDefined: () => ({}),
  isNotEmpty: () => ({ stringRules: { minLength: 1 } }),
  nestedValidation: () => ({}),
  whitelistValidation: () => ({}),

  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: ([options]) => numberEffect(options as { maxDecimalPlaces?: number } | undefined),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object' }),

  min: numeric('minimum'),
  max: numeric('maximum'),
  isDivisibleBy: numeric('multipleOf'),
  isPositive: () => ({ type: 'number', rules: { minimum: 0, exclusiveMinimum: true } }),
  isNegative: () => ({ type: 'number', rules: { maximum: 0, exclusiveMaximum: true } }),

  minLength: ([min]) => ({ type: 'string', rules: { minLength: min as number } }),
  maxLength: ([max]) => ({ type: 'string', rules: { maxLength: max as number } }),
  isLength: ([min, max]) => ({
    type: 'string',
    rules: { minLength: min as number, ...(max !== undefined && { maxLength: max as number }) },
  }),
  matches: ([expression, modifiers]) => patternEffect(expression as RegExp | string, modifiers as string | undefined),
  isAlpha: ([locale]) => (isEnglish(locale) ? pattern('^[A-Za-z]+$')([]) : { instead: MATCHES }),
  isAlphanumeric: ([locale]) => (isEnglish(locale) ? pattern('^[0-9A-Za-z]+$')([]) : { instead: MATCHES }),
  isHexadecimal: pattern('^(0[xXhH])?[0-9A-Fa-f]+$'),
  isAscii: pattern('^[\\x00-\\x7F]+$'),

  isIn: ([values]) => ({ rules: { enum: [...(values as readonly unknown[])] } }),
  isEnum: ([, values]) => ({ rules: { enum: [...(values as readonly unknown[])] } }),
  equals: ([value]) => ({ rules: { enum: [value] } }),

  arrayMinSize: ([min]) => ({ type: 'array', rules: { minItems: min as number } }),
  arrayMaxSize: ([max]) => ({ type: 'array', rules: { maxItems: max as number } }),
  arrayNotEmpty: () => ({ type: 'array', rules: { minItems: 1 } }),
  arrayUnique: () => ({ type: 'array', rules: { 'x-kubernetes-list-type': 'set' } }),
  isNotEmptyObject: ([options]) =>
    options === undefined || options === null ? { type: 'object', rules: { minProperties: 1 } } : { instead: REMOVE },

  isEmpty: () => ({ type: 'string', rules: { maxLength: 0 } }),
  isIp: ([version]) => byVersion(ADDRESSES, version),
  isEmail: format('email'),
  isUrl: format('uri'),
  isUuid: ([version]) => byVersion(UUIDS, version ?? 'all'),
  isFqdn: format('hostname'),
  isMacAddress: format('mac'),
  isBase64: format('byte'),
  isDateString: format('date-time'),
  isIso8601: format('date-time'),
  isRFC3339: format('date-time'),
  isDate: () => ({ isDate: true }),
};

const ADDRESSES: Readonly<Record<string, string>> = { 4: 'ipv4', 6: 'ipv6' };
const UUIDS: Readonly<Record<string, string>> = { all: 'uuid', 3: 'uuid3', 4: 'uuid4', 5: 'uuid5' };
const MATCHES = 'use @Matches(/…/) with an RE2 pattern';
const REMOVE = `write it in CEL: @XValidation({ rule: '…' }), or remove it and check the value in reconcile`;

/** The format for a version of an address or identifier. */
function byVersion(formats: Readonly<Record<string, string>>, version: unknown): ConstraintEffect | undefined {
  const found = ownMember(formats, String(version));
  return found === undefined ? undefined : { type: 'string', rules: { format: found } };
}

/** Returns the effect of a constraint on the schema. */
export function effectOf(constraint: Constraint): ConstraintEffect {
  const { name, args, isConditional } = constraint;
  if (isConditional) return { instead: 'remove its groups and conditions, which a schema does not support' };
  const effect = ownMember(EFFECTS, name)?.(args);
  if (effect) return effect;
  const cel = celRuleOf(name, args);
  if (!cel) return { instead: REMOVE };
  const { rule, ...appliesTo } = cel;
  const message = fixedMessage(constraint);
  return { ...appliesTo, validation: { rule, ...(message !== undefined && { message }) } };
}

/** The decorator's name: `@IsInt`. */
export function decoratorName({ name }: Constraint): string {
  const known: Readonly<Record<string, string>> = {
    nestedValidation: 'ValidateNested',
    conditionalValidation: 'ValidateIf',
    customValidation: 'Validate',
    promiseValidation: 'ValidatePromise',
    isLength: 'Length',
    isIsbn: 'IsISBN',
    isIsin: 'IsISIN',
    isMacAddress: 'IsMACAddress',
    isIp: 'IsIP',
    isUuid: 'IsUUID',
    isFqdn: 'IsFQDN',
    isIso8601: 'IsISO8601',
    isJson: 'IsJSON',
    isJwt: 'IsJWT',
  };
  return `@${known[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`}`;
}

function isEnglish(locale: unknown): boolean {
  return locale === undefined || locale === null || locale === 'en-US';
}

function numberEffect(options: { maxDecimalPlaces?: number } | undefined): ConstraintEffect {
  return options?.maxDecimalPlaces === undefined ? { type: 'number' } : { instead: '@IsInt(), or @IsDivisibleBy(…)' };
}

function patternEffect(expression: RegExp | string, modifiers: string | undefined): ConstraintEffect {
  const source = typeof expression === 'string' ? expression : expression.source;
  const flags = (typeof expression === 'string' ? modifiers : expression.flags) ?? '';
  if (/[^gu]/.test(flags))
    return { instead: `use a pattern without flag ${flags}, which the API server does not support` };
  const problem = re2Problem(source);
  if (problem !== undefined) return { instead: `use an RE2 pattern: this one ${problem}` };
  return { type: 'string', rules: { pattern: source.replaceAll('\\/', '/') } };
}

/**
 * The `message` option of a constraint with `$property` and `$constraint1` replaced, as class-validator does; undefined
 * without one, and if it depends on the value: a function, or a text with `$value` or `$target`.
 */
function fixedMessage({ message, property, args }: Constraint): string | undefined {
  if (typeof message !== 'string' || /\$(?:value|target)\b/.test(message)) return undefined;
  return message.replaceAll(/\$(property\b|constraint(\d+))/g, (_token, _name, number?: string) => {
    if (number === undefined) return property;
    const value = args[Number(number) - 1];
    return Array.isArray(value) ? value.join(', ') : String(value);
  });
}
