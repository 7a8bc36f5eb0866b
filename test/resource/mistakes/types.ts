import { Field } from '../../../src/resource/decorators/field.js';
import type { FieldClass } from '../../../src/resource/decorators/field-options.js';
import { field, kindWithSpec, Phase } from './classes.js';

class Empty {
  name = '';
}

class Unclear {
  @Field() count!: number;
  @Field() names!: string[];
  @Field() labels!: Record<string, string>;
  @Field() anything: unknown;
  @Field() nameOrNothing!: string | null;
  @Field() nameOrNumber!: string | number;
  @Field() byName!: Map<string, string>;
  @Field() unique!: Set<string>;
  @Field() big!: bigint;
  @Field() pattern!: RegExp;
  @Field() bytes!: Uint8Array;
  @Field() buffer!: Buffer;
  @Field() symbol!: symbol;
  @Field() act!: () => void;
  @Field() empty!: Empty;
  @Field({ items: Number }) numbers!: number[];
  @Field({ items: { items: 'integer' } }) sound!: number[][];
  @Field({ items: String }) notAList!: string;
  @Field({ values: String }) notARecord!: string;
  @Field({ type: 'integer' }) notANumber!: string;
  @Field({ type: 'quantity' }) noQuantity!: boolean;
  @Field({ type: 'duration' }) noDuration!: number;
  @Field({ schema: { type: 'string' }, minLength: 1 }) saidTwice!: string;
  @Field() phase!: Phase;
  @Field({ enum: ['a', 1] }) mixedEnum!: string | number;
  @Field({ enum: Phase }) soundPhase!: Phase;
  @Field({ items: { enum: Phase } }) soundPhases!: Phase[];
  @Field({ type: () => undefined as unknown as FieldClass }) notYet!: object;
}

field(Unclear, 'later');
Reflect.defineMetadata('design:type', undefined, Unclear.prototype, 'later');

export const classes = [kindWithSpec(Unclear)];
