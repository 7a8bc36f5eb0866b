import { ArrayMinSize, IsInt, IsOptional, Max, MaxLength, Min, MinLength } from 'class-validator';
import { CustomResource } from '../../src/resource/custom-resource.js';
import { Description } from '../../src/resource/decorators/description.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { PrintColumn } from '../../src/resource/decorators/print-column.js';
import { AtLeastOneOf } from '../../src/resource/decorators/rules/at-least-one-of.js';
import { AtMostOneOf } from '../../src/resource/decorators/rules/at-most-one-of.js';
import { ExactlyOneOf } from '../../src/resource/decorators/rules/exactly-one-of.js';
import { Immutable } from '../../src/resource/decorators/rules/immutable.js';
import { Union } from '../../src/resource/decorators/rules/union.js';
import { XValidation } from '../../src/resource/decorators/rules/x-validation.js';
import { Scale } from '../../src/resource/decorators/scale.js';
import { Schema } from '../../src/resource/decorators/schema.js';
import { SelectableField } from '../../src/resource/decorators/selectable-field.js';
import { StructType } from '../../src/resource/decorators/struct-type.js';
import type { FieldClass, FieldOptions } from '../../src/resource/fields/field-options.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { Chooser } from '../fidelity/chooser.js';
import { RandomValues } from './random-values.js';

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
const DEPTH = 5;

/** Makes random kinds by applying decorators to classes, as a program without their source would. */
export class RandomKinds {
  private readonly random: Chooser;
  private readonly values: RandomValues;

  constructor(seed: number) {
    this.random = new Chooser(seed);
    this.values = new RandomValues(this.random, (depth, isRepeated) => this.struct(depth, { isRepeated }));
  }

  kind(index: number): ResourceClass {
    const { random } = this;
    const name = `Random${index}`;
    const target = namedClass(name);
    const hasStatus = random.chance(0.6);
    this.field(target, 'spec', { type: this.spec() });
    if (hasStatus) this.field(target, 'status', { type: this.struct(DEPTH - 1) });
    this.extraFields(target);
    if (random.chance(0.1)) XValidation({ rule: "self.metadata.name != 'forbidden'" })(target);
    if (random.chance(0.1)) Schema({ title: this.values.text(), ...random.maybe(0.2, { minProperties: 1 }) })(target);
    if (hasStatus && random.chance(0.1)) Scale({ specReplicasPath: '.spec.replicas', ...this.statusPath() })(target);
    this.paths(target);
    const version = random.pick(['v1', 'v1beta1', 'v2alpha3']);
    Kind({ group: 'random.example.com', version, ...this.kindOptions() })(target);
    return target;
  }

  private extraFields(target: FieldClass): void {
    const { random } = this;
    if (random.chance(0.1)) this.field(target, 'extra', this.values.options(2));
    if (random.chance(0.1)) this.field(target, 'metadata', { type: this.meta() });
    if (random.chance(0.1)) this.field(target, 'apiVersion', { type: String, description: this.values.text() });
  }

  private statusPath() {
    return { statusReplicasPath: this.random.pick(['.status.replicas', '.spec.replicas']) };
  }

  private paths(target: new () => CustomResource): void {
    const { random } = this;
    if (random.chance(0.2)) SelectableField(random.chance(0.9) ? '.spec.zone' : '.spec.nowhere')(target);
    if (random.chance(0.2)) PrintColumn({ name: 'Zone', type: 'string', jsonPath: '.spec.zone' })(target);
  }

  private kindOptions() {
    const { random } = this;
    return {
      ...random.maybe(0.3, { scope: 'Cluster' as const }),
      ...random.maybe(0.2, { shortNames: [random.chance(0.95) ? 'rnd' : 'R_'] }),
      ...random.maybe(0.2, { categories: ['all'], singular: 'one-random' }),
      ...random.maybe(0.2, { labels: { 'example.com/team': random.chance(0.95) ? 'no' : 'not a value' } }),
      ...random.maybe(0.2, { annotations: { 'example.com/note': this.values.text() } }),
      ...random.maybe(0.2, { description: this.values.text() }),
      ...random.maybe(0.2, { deprecated: random.pick([true, 'use another', 'tab\there']) }),
      ...random.maybe(0.1, { served: false }),
      ...random.maybe(0.1, { commonFields: false }),
      ...random.maybe(0.1, { maxDescriptionLength: 30 }),
      ...random.maybe(0.1, { conversion: 'None' as const }),
    };
  }

  private spec(): FieldClass {
    const spec = this.struct(DEPTH - 1, { taken: ['zone', 'replicas'] });
    this.field(spec, 'zone', { type: String });
    this.field(spec, 'replicas', { type: 'integer', default: 1 });
    if (this.random.chance(0.2)) PrintColumn()(spec.prototype as object, 'replicas');
    if (this.random.chance(0.2)) SelectableField()(spec.prototype as object, 'replicas');
    return spec;
  }

  private meta(): FieldClass {
    class Meta {}
    this.field(Meta, this.random.chance(0.9) ? 'name' : 'labels', { type: String, maxLength: 20 });
    return Meta;
  }

  /** `taken` are names of fields that are still to come; rules in CEL easily cost too much where it is repeated. */
  private struct(
    depth: number,
    { taken = [], isRepeated = false }: { taken?: readonly string[]; isRepeated?: boolean } = {},
  ): FieldClass {
    const { random } = this;
    class Struct {}
    const names = [...new Set(Array.from({ length: random.pick([1, 2, 2, 3]) }, () => random.pick(NAMES)))];
    const optional = names
      .filter((name) => !taken.includes(name))
      .filter((name) => this.field(Struct, name, this.values.options(depth, isRepeated), { isRepeated }));
    if (random.chance(0.2)) this.constrained(Struct, isRepeated);
    if (random.chance(0.1)) StructType(random.pick(['atomic', 'granular']))(Struct);
    if (random.chance(0.1)) Description(this.values.text())(Struct);
    if (random.chance(0.1)) this.schema(Struct);
    if (!isRepeated || random.chance(0.1)) this.rules(Struct, optional);
    return Struct;
  }

  private rules(target: FieldClass, optional: readonly string[]): void {
    const { random } = this;
    if (random.chance(0.1)) this.union(target);
    if (random.chance(0.05)) XValidation({ rule: 'self == oldSelf', message: 'must stay' })(target);
    const names = [...optional, ...(random.chance(0.03) ? ['missing'] : [])];
    if (names.length > 0 && random.chance(0.2))
      random.pick([ExactlyOneOf, AtMostOneOf, AtLeastOneOf])(...names)(target);
  }

  private schema(target: FieldClass): void {
    const { random } = this;
    Schema({
      ...random.maybe(0.3, { title: this.values.text() }),
      ...random.maybe(0.3, { minProperties: 1 }),
      ...random.maybe(0.3, { maxProperties: 9 }),
      ...random.maybe(0.1, { nullable: true }),
      ...random.maybe(0.2, { preserveUnknownFields: true }),
      ...random.maybe(0.2, { externalDocs: { url: 'https://example.com' } }),
      ...random.maybe(0.2, { not: { minProperties: 10 } }),
    })(target);
  }

  /** Fields that class-validator speaks of. */
  private constrained(target: FieldClass, isRepeated: boolean): void {
    const prototype = target.prototype as object;
    this.field(target, 'count', { type: Number }, { isRepeated });
    for (const decorate of [IsInt(), Min(1), Max(9)]) decorate(prototype, 'count');
    this.field(target, 'label', { type: String }, { isRepeated });
    for (const decorate of [MinLength(1), MaxLength(9), IsOptional()]) decorate(prototype, 'label');
    this.field(target, 'tags', { items: String }, { isRepeated });
    for (const decorate of [ArrayMinSize(1), MinLength(1, { each: true })]) decorate(prototype, 'tags');
  }

  private union(target: FieldClass): void {
    this.field(target, 'type', { type: String, enum: ['Disk', 'Bucket'] });
    this.field(target, 'disk', { type: String }, { isOptional: true });
    this.field(target, 'bucket', { type: String }, { isOptional: true });
    Union({ discriminator: 'type', members: { Disk: 'disk', Bucket: 'bucket' } })(target);
  }

  /** Whether the field is optional. */
  private field(
    target: FieldClass,
    name: string,
    options: FieldOptions,
    { isOptional = this.random.chance(0.4), isRepeated = false } = {},
  ): boolean {
    const prototype = target.prototype as object;
    Field({ ...options, ...(isOptional && { optional: true }) })(prototype, name);
    const mayHaveRules =
      (!isRepeated || this.random.chance(0.1)) &&
      options.schema === undefined &&
      options.preserveUnknownFields !== true;
    if (mayHaveRules && this.random.chance(0.03)) Immutable()(prototype, name);
    return isOptional;
  }
}

/** A class of its own for each kind, as errors name it. */
function namedClass(name: string): new () => CustomResource {
  class Named extends CustomResource {
    reconcile(): void {
      return undefined;
    }
  }
  Object.defineProperty(Named, 'name', { value: name });
  return Named;
}
