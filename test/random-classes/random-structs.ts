import { Description } from '../../src/resource/decorators/description.js';
import { Field } from '../../src/resource/decorators/field.js';
import { AtLeastOneOf } from '../../src/resource/decorators/rules/at-least-one-of.js';
import { AtMostOneOf } from '../../src/resource/decorators/rules/at-most-one-of.js';
import { ExactlyOneOf } from '../../src/resource/decorators/rules/exactly-one-of.js';
import { Immutable } from '../../src/resource/decorators/rules/immutable.js';
import { Union } from '../../src/resource/decorators/rules/union.js';
import { XValidation } from '../../src/resource/decorators/rules/x-validation.js';
import { Schema } from '../../src/resource/decorators/schema.js';
import type { FieldClass, FieldOptions, ValueOptions } from '../../src/resource/decorators/field-options.js';
import type { Chooser } from '../fidelity/chooser.js';
import { CONSTRAINED, runtimeOnly } from './constrained-fields.js';
import { RandomValues, type StructNeeds } from './random-values.js';

const NAMES = [
  'size',
  'zone',
  'image',
  'in',
  'x-y',
  'a.b',
  'two words',
  '$ref',
  'kind',
  'name',
  'αβγ',
  '0',
  '__under__',
];

/** Makes random classes of objects by applying decorators, as a program without its source would. */
export class RandomStructs {
  readonly values: RandomValues;

  constructor(private readonly random: Chooser) {
    this.values = new RandomValues(random, (depth, needs) => this.struct(depth, needs));
  }

  struct(depth: number, { taken = [], isRepeated = false, keys = [] }: StructNeeds = {}): FieldClass {
    const { random } = this;
    class Base {}
    class Struct extends (random.chance(0.1) ? this.base(isRepeated) : Base) {}
    const names = [...new Set(Array.from({ length: random.pick([1, 2, 2, 3]) }, () => random.pick(NAMES)))];
    const own = names.filter((name) => !taken.includes(name) && !keys.includes(name));
    const optional = own.filter((name) =>
      this.field(Struct, name, this.values.options(depth, isRepeated), { isRepeated }),
    );
    for (const key of keys) this.key(Struct, key);
    this.words(Struct, own, optional);
    if (!isRepeated || random.chance(0.1)) this.rules(Struct, optional);
    return Struct;
  }

  private words(target: FieldClass, names: readonly string[], optional: readonly string[]): void {
    const { random } = this;
    if (random.chance(0.2)) this.constrained(target);
    if (random.chance(0.1)) Schema({ mapType: random.pick(['atomic', 'granular']) })(target);
    if (random.chance(0.1)) Description(this.values.text())(target);
    if (random.chance(0.15)) this.schema(target, names, optional);
  }

  /** Whether the field is optional. */
  field(
    target: FieldClass,
    name: string,
    { description, ...options }: FieldOptions & ValueOptions,
    { isOptional = this.random.chance(0.4), isRepeated = false } = {},
  ): boolean {
    const prototype = target.prototype as object;
    const given = { ...options, ...(isOptional && { optional: true }) };
    (description === undefined ? Field(given) : Field(description, given))(prototype, name);
    if (options.schema === undefined && options.preserveUnknownFields !== true) this.ruled(prototype, name, isRepeated);
    return isOptional;
  }

  private ruled(prototype: object, name: string, isRepeated: boolean): void {
    const often = isRepeated ? 0.003 : 0.03;
    if (this.random.chance(often)) Immutable()(prototype, name);
    if (this.random.chance(often)) XValidation({ rule: 'self == self' })(prototype, name);
  }

  /** A class to extend; a subclass may redeclare a field. */
  private base(isRepeated: boolean): new () => object {
    class Parent {}
    this.field(Parent, 'size', { type: String, description: this.values.text() }, { isRepeated });
    this.field(Parent, 'inherited', { type: Boolean }, { isRepeated });
    if (this.random.chance(0.3)) Schema({ title: this.values.text() })(Parent);
    return Parent;
  }

  /** Nearly always a valid key for the API server. */
  private key(target: FieldClass, name: string): void {
    const { random } = this;
    const isDefaulted = random.chance(0.2);
    const type = random.pick<FieldOptions>([
      { type: String, ...(isDefaulted && { default: 'a' }) },
      { type: 'integer', ...(isDefaulted && { default: 1 }) },
    ]);
    const isOptional = random.chance(isDefaulted ? 0.5 : 0.01);
    this.field(target, name, { ...type, ...random.maybe(0.01, { nullable: true }) }, { isOptional, isRepeated: true });
  }

  private rules(target: FieldClass, optional: readonly string[]): void {
    const { random } = this;
    if (random.chance(0.1)) this.union(target);
    if (random.chance(0.05)) XValidation(this.values.rule(['self == oldSelf', '!oldSelf.hasValue() || true']))(target);
    const names = [...optional.filter(isUsableInCel), ...(random.chance(0.02) ? ['missing'] : [])];
    if (names.length > 0 && random.chance(0.2))
      random.pick([ExactlyOneOf, AtMostOneOf, AtLeastOneOf])(...names)(target);
  }

  private schema(target: FieldClass, names: readonly string[], optional: readonly string[]): void {
    const { random } = this;
    const required = names.filter((name) => !optional.includes(name));
    Schema({
      ...random.maybe(0.3, { title: this.values.text() }),
      ...random.maybe(0.3, { minProperties: 1 }),
      ...random.maybe(0.3, { maxProperties: 9 }),
      ...random.maybe(0.1, { nullable: true }),
      ...random.maybe(0.2, { preserveUnknownFields: true }),
      ...random.maybe(0.05, { embeddedResource: true }),
      ...random.maybe(0.2, { externalDocs: { url: 'https://example.com' } }),
      ...random.maybe(0.2, { not: { minProperties: 10 } }),
      ...random.maybe(0.1, { allOf: [{ maxProperties: 12 }], oneOf: [{ minProperties: 0 }] }),
      ...random.maybe(0.1, { anyOf: names.map((name) => ({ required: [name] })) }),
      ...random.maybe(0.05, { required: [...required, ...(random.chance(0.5) ? ['undeclared'] : [])].toReversed() }),
      ...random.maybe(0.1, { maxDescriptionLength: 20 }),
      ...random.maybe(0.1, { properties: { reconcile: { type: 'string' } } }),
      ...random.maybe(0.1, { example: {} }),
      ...random.maybe(0.1, { default: {} }),
    })(target);
  }

  /** Fields with rules of class-validator. */
  private constrained(target: FieldClass): void {
    const { random } = this;
    const [name, options, decorators] = random.pick(CONSTRAINED);
    Field(options)(target.prototype as object, name);
    for (const decorate of decorators) decorate(target.prototype as object, name);
    if (random.chance(0.1)) runtimeOnly(target);
  }

  private union(target: FieldClass): void {
    this.field(target, 'type', { type: String, enum: ['Disk', 'Bucket'] }, { isOptional: false });
    this.field(target, 'disk', { type: String }, { isOptional: true });
    this.field(target, 'bucket', { type: String }, { isOptional: true });
    Union({ discriminator: 'type', members: { Disk: 'disk', Bucket: 'bucket' } })(target);
  }
}

function isUsableInCel(name: string): boolean {
  return /^[a-z]/.test(name) && name !== 'two words';
}
