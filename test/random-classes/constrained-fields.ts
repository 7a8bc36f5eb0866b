import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  ArrayUnique,
  Equals,
  IsAlpha,
  IsAlphanumeric,
  IsArray,
  IsAscii,
  IsBoolean,
  IsDate,
  IsDefined,
  IsDivisibleBy,
  IsEnum,
  IsHexadecimal,
  IsIn,
  IsInt,
  IsNegative,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { Field } from '../../src/resource/decorators/field.js';
import { RuntimeOnly } from '../../src/resource/decorators/runtime-only.js';
import type { FieldClass, FieldOptions } from '../../src/resource/decorators/field-options.js';

enum Phase {
  Pending = 'Pending',
  Running = 'Running',
}

type ConstrainedField = readonly [name: string, options: FieldOptions, decorators: readonly PropertyDecorator[]];

/** Fields with rules of class-validator that a schema can express. */
export const CONSTRAINED: readonly ConstrainedField[] = [
  ['count', { type: Number }, [IsInt(), Min(1), Max(9), IsDefined()]],
  ['share', { type: Number }, [IsNumber(), IsPositive(), IsDivisibleBy(0.5)]],
  ['depth', { type: 'integer' }, [IsNegative(), IsOptional()]],
  ['label', { type: String }, [MinLength(1), MaxLength(9), IsOptional()]],
  ['code', { type: String }, [IsString(), IsNotEmpty(), IsAlpha()]],
  ['digits', { type: String }, [IsHexadecimal()]],
  ['plain', { type: String }, [IsAscii()]],
  ['word', { type: String }, [IsAlphanumeric()]],
  ['slug', { type: String }, [Matches(/^[a-z/]+$/u)]],
  ['phase', { type: String }, [IsEnum(Phase)]],
  ['pair', { type: String }, [Length(2, 3)]],
  ['level', { type: Number }, [IsIn([1, 2])]],
  ['constant', { type: String }, [Equals('a')]],
  ['isOn', { type: Boolean }, [IsBoolean()]],
  ['since', { type: Date }, [IsDate()]],
  ['tags', { items: String }, [IsArray(), ArrayMinSize(1), ArrayMaxSize(5), MinLength(1, { each: true })]],
  ['names', { items: String }, [ArrayNotEmpty(), ArrayUnique()]],
  ['sizes', { values: 'integer' }, [IsObject(), IsNotEmptyObject(), Min(1, { each: true })]],
];

/** A field with a rule that only the operator can check. */
export function runtimeOnly(target: FieldClass): void {
  const prototype = target.prototype as object;
  Field({ type: String })(prototype, 'lucky');
  RuntimeOnly()(prototype, 'lucky');
  ValidateBy({ name: 'isLucky', validator: () => true })(prototype, 'lucky');
}
