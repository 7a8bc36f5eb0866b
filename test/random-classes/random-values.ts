import type { JsonSchema, ValidationRule } from '../../src/api/schema/json-schema.js';
import type { FieldClass, ValueOptions } from '../../src/resource/decorators/field-options.js';
import { Condition, LabelSelector } from '../../src/index.js';
import {
  EnvVar,
  IntOrString,
  ObjectReference,
  PodTemplateSpec,
  Quantity,
  ResourceRequirements,
  Time,
} from '../../src/definitions.js';
import type { Chooser } from '../fidelity/chooser.js';
import { HOSTILE_STRINGS } from './hostile-strings.js';

/** How often an option is given at all, and how often a given one is wrong. */
const OFTEN = 0.15;
const WRONG = 0.003;

/** Rules that do not parse, reference unknown fields, are not boolean, or have no estimated cost. */
const WRONG_RULES = [
  'self ==',
  'self.nowhere',
  'other > 0',
  "'text'",
  'has(self)',
  'unheard(self)',
  'self == 1 && self == "a"',
];
const PRINTABLE = HOSTILE_STRINGS.filter((text) => !/\p{C}/u.test(text));

/** The options for a random class. */
export interface StructNeeds {
  /** Names of fields that are still to come. */
  readonly taken?: readonly string[];
  /** In a list or map, where rules in CEL easily cost too much. */
  readonly isRepeated?: boolean;
  /** Fields that identify the items of a list. */
  readonly keys?: readonly string[];
}

/** Schemas word for word; the API server takes nearly all of them. */
const EXACT: readonly JsonSchema[] = [
  { type: 'array', items: { type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } } },
  { type: 'object', properties: { a: { type: 'string', default: 'b' } }, required: ['a'] },
  { type: 'object', properties: { a: { type: 'string' } }, default: { a: 'b' }, nullable: true },
  { type: 'object', properties: { a: { type: 'string', pattern: '^[a-z]+$' } }, default: { a: 'B' } },
  { type: 'object', additionalProperties: { type: 'integer' }, 'x-kubernetes-map-type': 'atomic' },
  { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', default: ['a', 'b'] },
  { type: 'string', enum: ['a', 'b'], 'x-kubernetes-validations': [{ rule: 'self.size() == 1' }] },
  { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }] },
  { type: 'object', properties: { a: {} } },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
];

/** A random value model, with a generator of matching values. */
interface RandomType {
  readonly options: ValueOptions;
  /** Undefined if no simple value matches. */
  readonly example?: unknown;
  /** Rules in CEL that compile for it. */
  readonly rules: readonly string[];
}

/** Makes random options of values, nearly all of them right. */
export class RandomValues {
  constructor(
    private readonly random: Chooser,
    private readonly makeClass: (depth: number, needs: StructNeeds) => FieldClass,
  ) {}

  /** `isRepeated` in a list or map, where rules in CEL easily cost too much. */
  options(depth: number, isRepeated = false): ValueOptions {
    const { random } = this;
    if (random.chance(0.03)) return { schema: random.pick(EXACT) };
    const { options, example, rules } = this.type(depth, isRepeated);
    return {
      ...options,
      ...random.maybe(OFTEN, { description: this.text() }),
      ...random.maybe(OFTEN / 2, { title: this.text() }),
      ...random.maybe(OFTEN / 2, { externalDocs: { url: 'https://example.com', description: this.text() } }),
      ...random.maybe(OFTEN / 2, { nullable: true }),
      ...random.maybe(OFTEN / 2, { maxDescriptionLength: random.pick([0, 5, 80]) }),
      ...(rules.length > 0 && random.maybe(isRepeated ? OFTEN / 10 : OFTEN, { validations: [this.rule(rules)] })),
      ...(example !== undefined && random.maybe(OFTEN, { example })),
      ...(example !== undefined && random.maybe(OFTEN, { default: random.chance(WRONG * 5) ? [example] : example })),
      ...random.maybe(WRONG, random.pick([{ minimum: 1 }, { minLength: 2 }, { maxItems: -1 }])),
      ...random.maybe(WRONG, { listType: random.pick(['atomic', 'set', 'map'] as const) }),
      ...random.maybe(WRONG, { anyOf: [{ title: 'forbidden' }] }),
    };
  }

  text(): string {
    return this.random.chance(0.5) ? 'A field. It says a lot about itself.' : this.random.pick(PRINTABLE);
  }

  rule(rules: readonly string[]): ValidationRule {
    const { random } = this;
    const rule = random.chance(0.01) ? random.pick(WRONG_RULES) : random.pick(rules);
    return {
      rule,
      ...(rule.includes('oldSelf.hasValue()') && { optionalOldSelf: true }),
      ...random.maybe(0.5, {
        message: random.pick(['must hold', ' ', 'two\nlines'].slice(0, random.chance(0.01) ? 3 : 1)),
      }),
      ...random.maybe(0.02, { fieldPath: '.size' }),
      ...random.maybe(0.3, { messageExpression: "'must ' + 'hold'" }),
      ...random.maybe(0.3, { reason: random.pick(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired']) }),
    };
  }

  private type(depth: number, isRepeated: boolean): RandomType {
    const { random } = this;
    const leaves = [
      ...[this.string, this.string, this.integer, this.number, this.boolean, this.stringEnum, this.special],
      ...(random.chance(0.2) ? [this.definition] : []),
    ];
    const branches = [this.list, this.list, this.mapList, this.map, this.object, this.object];
    return random.pick(depth > 0 ? [...leaves, ...branches] : leaves).call(this, depth, isRepeated);
  }

  private string(): RandomType {
    const { random } = this;
    const options = {
      type: String,
      ...random.maybe(OFTEN, { minLength: random.chance(WRONG) ? 99 : 1 }),
      ...random.maybe(OFTEN, { maxLength: random.pick([20, 63]) }),
      ...random.maybe(OFTEN, { pattern: random.chance(WRONG) ? /^(?=a)/ : /^[a-z][a-z0-9\-]*$/ }),
      ...random.maybe(OFTEN, { anyOf: [{ pattern: '^a' }, { minLength: 1 }], not: { enum: ['forbidden'] } }),
      ...random.maybe(OFTEN / 3, { allOf: [{ maxLength: 40 }, { not: { pattern: ' ' } }] }),
      ...random.maybe(OFTEN / 3, { oneOf: [{ pattern: '^a' }, { enum: ['b', 'c'] }] }),
    };
    return {
      options,
      example: 'abc',
      rules: ["self != 'x'", "self.startsWith('a')", 'self == oldSelf', 'size(self) < 99'],
    };
  }

  private stringEnum(): RandomType {
    const values = [...new Set([this.random.pick(PRINTABLE), this.random.pick(PRINTABLE), 'c'])];
    return { options: { type: String, enum: values }, example: values[0], rules: ["self in ['c'] || self == oldSelf"] };
  }

  private integer(): RandomType {
    const { random } = this;
    const options = {
      ...(random.chance(0.5)
        ? { type: Number, format: random.pick(['int32', 'int64']) }
        : { type: 'integer' as const }),
      ...random.maybe(OFTEN, { minimum: -5, ...random.maybe(0.3, { exclusiveMinimum: true }) }),
      ...random.maybe(OFTEN, {
        maximum: random.chance(WRONG) ? -9 : 50,
        ...random.maybe(0.3, { exclusiveMaximum: true }),
      }),
      ...random.maybe(OFTEN / 2, { multipleOf: 2 }),
      ...random.maybe(OFTEN / 2, { enum: [2, 4, 8] }),
    };
    return { options, example: 4, rules: ['self > 0', 'self >= oldSelf', 'self % 2 == 0'] };
  }

  private number(): RandomType {
    const options = { type: 'number' as const, ...this.random.maybe(OFTEN, { minimum: 0.5, maximum: 9.5 }) };
    return { options, example: 2.5, rules: ['self > 0.0'] };
  }

  private boolean(): RandomType {
    return { options: { type: Boolean }, example: true, rules: ['self', 'self || !oldSelf'] };
  }

  private special(): RandomType {
    return this.random.pick<RandomType>([
      { options: { intOrString: true }, example: 8080, rules: ["type(self) == int || self == 'http'"] },
      { options: { type: 'quantity' }, example: '500Mi', rules: ['type(self) == int || isQuantity(self)'] },
      { options: { type: 'duration' }, example: '1h30m', rules: [] },
      { options: { type: Date }, example: '2026-01-02T03:04:05Z', rules: ["self > timestamp('2000-01-01T00:00:00Z')"] },
      { options: { preserveUnknownFields: true }, example: { any: ['thing', 1, true] }, rules: [] },
      { options: { type: 'object', preserveUnknownFields: true }, example: { any: 'thing' }, rules: [] },
      { options: { embeddedResource: true }, rules: ["self.kind != 'x'"] },
      { options: { values: true, maxProperties: 4 }, example: { a: 1 }, rules: [] },
      { options: { type: String, format: this.random.pick(['ipv4', 'uri', 'hostname', 'unheard-of']) }, rules: [] },
    ]);
  }

  private definition(): RandomType {
    const { random } = this;
    const [type, rules, example] = random.pick([
      [EnvVar, ["self.name != ''"], { name: 'a', value: 'b' }],
      [Quantity, ['type(self) == int || isQuantity(self)'], '1Gi'],
      [IntOrString, ["self != 'x'"], 8080],
      [Time, ["self > timestamp('2000-01-01T00:00:00Z')"], '2026-01-02T03:04:05Z'],
      [ObjectReference, ['has(self.name)'], { name: 'a' }],
      [ResourceRequirements, ['!has(self.claims)'], { limits: { cpu: 1 } }],
      [LabelSelector, ['self == oldSelf'], { matchLabels: { a: 'b' } }],
      [Condition, ["self.status != 'False'"], undefined],
      ...(random.chance(0.1) ? [[PodTemplateSpec, [], undefined] as const] : []),
    ] as const);
    const options = {
      type,
      ...random.maybe(OFTEN, { maxDescriptionLength: 30 }),
      ...(type === PodTemplateSpec && random.maybe(0.5, { embeddedObjectMeta: false })),
    };
    return { options, rules, example };
  }

  /** A list with items that are identified by keys. */
  private mapList(depth: number): RandomType {
    const { random } = this;
    const keys = random.pick([['name'], ['name', 'port']]);
    const target = random.chance(0.1) ? EnvVar : this.makeClass(depth - 1, { isRepeated: true, keys });
    const options = {
      items: { type: () => target, ...random.maybe(WRONG, { nullable: true }) },
      listType: 'map' as const,
      ...(random.chance(1 - WRONG) && {
        listMapKeys: target === EnvVar ? ['name'] : [...keys, ...(random.chance(WRONG * 2) ? ['missing'] : [])],
      }),
      ...random.maybe(OFTEN, { maxItems: 8 }),
    };
    return { options, rules: ['self.size() < 9', 'self == oldSelf'] };
  }

  private list(depth: number): RandomType {
    const { random } = this;
    const items = this.options(depth - 1, true);
    const isOfScalars = items.type !== undefined && typeof items.type !== 'object' && isScalar(items);
    const listType = random.pick(
      isOfScalars ? (['set', 'atomic', undefined] as const) : (['atomic', undefined] as const),
    );
    const options = {
      items,
      ...(listType && { listType }),
      ...random.maybe(OFTEN, { minItems: random.pick([0, 1]) }),
      ...random.maybe(OFTEN, { maxItems: random.chance(WRONG) ? 0.5 : 8 }),
    };
    return { options, rules: ['self.size() < 9', 'self == oldSelf'] };
  }

  private map(depth: number): RandomType {
    const { random } = this;
    const options = {
      values: this.options(depth - 1, true),
      ...random.maybe(OFTEN, { mapType: random.pick(['atomic', 'granular'] as const) }),
      ...random.maybe(OFTEN, { minProperties: 1 }),
      ...random.maybe(OFTEN, { maxProperties: 8 }),
    };
    return { options, rules: ['self.size() < 9', "!('forbidden' in self)"] };
  }

  private object(depth: number, isRepeated: boolean): RandomType {
    const { random } = this;
    const target = this.makeClass(depth - 1, { isRepeated });
    const options = {
      type: () => target,
      ...random.maybe(OFTEN, { preserveUnknownFields: true }),
      ...random.maybe(WRONG * 3, { embeddedResource: true }),
    };
    return { options, rules: ['self == oldSelf'] };
  }
}

/** Whether a set may hold the values: strings and numbers without null. */
function isScalar({ type, nullable }: ValueOptions): boolean {
  return nullable !== true && (type === String || type === 'integer' || type === Number);
}
