import type * as fastCheck from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { isJsonObject, type JsonObject } from '../base/json-object.js';
import { stringifyJson } from '../base/json.js';
import { OperatorError } from '../base/operator-error.js';
import { formatTime } from '../base/timestamp.js';
import { SchemaValidator } from '../crd/schema/schema-validator.js';
import { acceptsNull, isIntOrString, type StructuralSchema } from '../crd/schema/structural-schema.js';

/** The library; loaded only by programs that make random objects. */
export type FastCheck = typeof fastCheck;

/** Settings of random objects. */
export interface ArbitraryOptions {
  /** Values for fields, by path: `{ 'spec.schedule': ['@hourly'] }`; `[]` after a list: `spec.ports[].protocol`. */
  readonly examples: Readonly<Record<string, readonly unknown[]>>;
  /** Leave out required fields too, like the objects of server-side apply. */
  readonly isPartial: boolean;
}

/** The number of random values of a field that are tried before examples are required. */
const ATTEMPTS = 200;
const MAX_ITEMS = 3;
const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** Makes fast-check arbitraries of JSON values that satisfy a schema, other than its rules in CEL. */
export class ArbitraryObjects {
  constructor(
    private readonly fc: FastCheck,
    private readonly options: ArbitraryOptions,
  ) {}

  /** The members of an object with the properties of a schema. */
  members(schema: StructuralSchema, path: string): Arbitrary<JsonObject> {
    const { properties = {}, required = [] } = schema;
    const below = path === '' ? '' : `${path}.`;
    const values = Object.entries(properties).map(([name, member]) => [name, this.value(member, `${below}${name}`)]);
    const requiredKeys = this.options.isPartial ? [] : required.filter((name) => Object.hasOwn(properties, name));
    return this.fc.record(Object.fromEntries(values) as Record<string, Arbitrary<unknown>>, {
      requiredKeys,
      noNullPrototype: true,
    });
  }

  private value(schema: StructuralSchema, path: string): Arbitrary<unknown> {
    const { fc } = this;
    const examples = this.options.examples[path] ?? schema.enum?.filter((value) => value !== null);
    const values = examples ? fc.constantFrom(...examples) : this.satisfying(schema, this.ofType(schema, path), path);
    return acceptsNull(schema) ? fc.option(values, { nil: null }) : values;
  }

  /** Keeps the values that satisfy the whole schema; partial objects lack required members, and only leaves count. */
  private satisfying(schema: StructuralSchema, values: Arbitrary<unknown>, path: string): Arbitrary<unknown> {
    if (isContainer(schema) && (this.options.isPartial || !hasOwnRules(schema))) return values;
    const validator = new SchemaValidator(schema);
    const isValid = (value: unknown): boolean => validator.validate(value).length === 0;
    const samples = this.fc.sample(values, { numRuns: ATTEMPTS, seed: 1 });
    if (samples.every(isValid)) return values;
    if (samples.some(isValid)) return values.filter(isValid);
    throw new OperatorError(`no random value satisfies the schema of ${path}`, {
      code: 'E_ROUND_TRIP',
      hint: `pass values for it: { examples: { '${path}': [${stringifyJson(schema.example ?? schema.default ?? '…')}] } }`,
    });
  }

  private ofType(schema: StructuralSchema, path: string): Arbitrary<unknown> {
    const { fc } = this;
    if (isIntOrString(schema))
      return fc.oneof(
        fc.integer(INT32),
        fc.nat(100).map((share) => `${share}%`),
      );
    switch (schema.type) {
      case 'string':
        return this.text(schema);
      case 'integer':
        return this.integer(schema);
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true, ...bounds(schema) }).map((value) => value + 0);
      case 'boolean':
        return fc.boolean();
      case 'array':
        return this.list(schema, path);
      case 'object':
        return this.object(schema, path);
      default:
        return this.anything();
    }
  }

  private text({ pattern, format, minLength = 0, maxLength = minLength + 12 }: StructuralSchema): Arbitrary<string> {
    const { fc } = this;
    const ofFormat = format === undefined ? undefined : this.formatted(format);
    if (ofFormat) return ofFormat;
    return (pattern === undefined ? undefined : this.matching(pattern)) ?? fc.string({ minLength, maxLength });
  }

  /** Undefined for a pattern that only RE2 understands. */
  private matching(pattern: string): Arbitrary<string> | undefined {
    const known = matchingTexts.get(this.fc) ?? new Map<string, Arbitrary<string> | undefined>();
    matchingTexts.set(this.fc, known);
    if (!known.has(pattern)) known.set(pattern, stringMatching(this.fc, pattern));
    return known.get(pattern);
  }

  private formatted(format: string): Arbitrary<string> | undefined {
    const { fc } = this;
    const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
    const formats = new Map([
      ['date-time', () => seconds.map((at) => formatTime(at * 1000))],
      ['date', () => seconds.map((at) => formatTime(at * 1000).slice(0, 10))],
      ['duration', () => fc.nat(86_400).map((length) => `${length}s`)],
      ['byte', () => fc.base64String()],
      ['uuid', () => fc.uuid()],
      ['ipv4', () => fc.ipV4()],
      ['ipv6', () => fc.ipV6()],
      ['hostname', () => fc.domain()],
      ['uri', () => fc.webUrl()],
      ['email', () => fc.emailAddress()],
    ]);
    return formats.get(format)?.();
  }

  /** An integer within 32 bits, unless the only bound is beyond them. */
  private integer(schema: StructuralSchema): Arbitrary<number> {
    const { min: lowest = INT32.min, max: highest = INT32.max } = bounds(schema);
    const min = schema.minimum === undefined && highest < INT32.min ? highest + INT32.min : lowest;
    const max = schema.maximum === undefined && lowest > INT32.max ? lowest + INT32.max : highest;
    const step = schema.multipleOf ?? 1;
    return this.fc.integer({ min: Math.ceil(min / step), max: Math.floor(max / step) }).map((value) => value * step);
  }

  private list(schema: StructuralSchema, path: string): Arbitrary<unknown[]> {
    const { minItems: minLength = 0, maxItems = MAX_ITEMS } = schema;
    const maxLength = Math.max(Math.min(maxItems, MAX_ITEMS), minLength);
    const keys = schema['x-kubernetes-list-map-keys'];
    const item = this.value(schema.items ?? {}, `${path}[]`);
    if (schema['x-kubernetes-list-type'] === 'set')
      return this.fc.uniqueArray(item, { minLength, maxLength, selector: stringifyJson });
    if (!keys) return this.fc.array(item, { minLength, maxLength });
    const selector = (value: unknown): string =>
      stringifyJson(keys.map((key) => (isJsonObject(value) ? value[key] : undefined)));
    return this.fc.uniqueArray(item, { minLength, maxLength, selector });
  }

  private object(schema: StructuralSchema, path: string): Arbitrary<unknown> {
    const { additionalProperties } = schema;
    if (schema.properties) return this.members(schema, path);
    const values = isJsonObject(additionalProperties) ? this.value(additionalProperties, `${path}.*`) : this.anything();
    return this.fc.dictionary(this.matching('^[a-z]{1,6}$') ?? this.fc.string(), values, {
      maxKeys: MAX_ITEMS,
      noNullPrototype: true,
    });
  }

  private anything(): Arbitrary<unknown> {
    const { fc } = this;
    return fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant({ a: [1, { b: 'c' }] }));
  }
}

/** By pattern: fast-check takes up to a second to prepare one with several repetitions. */
const matchingTexts = new WeakMap<FastCheck, Map<string, Arbitrary<string> | undefined>>();

function stringMatching(fc: FastCheck, pattern: string): Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return undefined;
  }
}

function isContainer({ type }: StructuralSchema): boolean {
  return type === 'object' || type === 'array';
}

const OWN_RULES = ['allOf', 'anyOf', 'oneOf', 'not', 'minProperties', 'maxProperties'] as const;

/**
 * Returns true if values of valid members can be invalid. Trying the values of each object that contains others would
 * take minutes for the definitions of large kinds.
 */
function hasOwnRules(schema: StructuralSchema): boolean {
  const { properties = {}, required = [] } = schema;
  return (
    OWN_RULES.some((rule) => schema[rule] !== undefined) || required.some((name) => !Object.hasOwn(properties, name))
  );
}

function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: StructuralSchema) {
  return {
    ...(minimum !== undefined && { min: minimum + (exclusiveMinimum === true ? 1 : 0) }),
    ...(maximum !== undefined && { max: maximum - (exclusiveMaximum === true ? 1 : 0) }),
  };
}
