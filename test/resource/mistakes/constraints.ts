import {
  ArrayContains,
  Contains,
  IsDate,
  IsEmail,
  IsInt,
  IsNotIn,
  IsNumber,
  IsOptional,
  IsString,
  IsStrongPassword,
  IsUUID,
  MaxDate,
  Min,
  MinDate,
  MinLength,
  NotEquals,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { Field } from '../../../src/resource/decorators/field.js';
import { kindWithSpec } from './classes.js';

class Constraints {
  @Field() @IsEmail({ allow_ip_domain: true }) email!: string;
  @Field() @IsUUID('7') uuid!: string;
  @Field({ items: String }) @ArrayContains([]) none!: string[];
  @Field() @IsNotIn(['a', 1]) mixed!: string;
  @Field() @MinDate(() => new Date(0)) late!: Date;
  @Field() @MaxDate(new Date(0)) text!: string;
  @Field({ format: 'int32' }) @Contains('x') contained!: number;
  @Field({ intOrString: true }) @NotEquals('x') either!: number | string;
  @Field() @IsStrongPassword() password!: string;
  @Field() @IsDate() date!: string;
  @Field() @IsNumber({ maxDecimalPlaces: 2 }) price!: number;
  @Field({ format: 'int32' }) @Min(1, { groups: ['create'] }) grouped!: number;
  @Field() @ValidateIf(() => true) @IsString() sometimes!: string;
  @Field() @ValidateBy({ name: 'isLucky', validator: () => true }) lucky!: string;
  @Field() @IsString() number!: boolean;
  @Field({ schema: { type: 'string' } }) @MinLength(1) exact!: string;
  @IsInt() @IsOptional() forgotten?: number;
}

export const classes = [kindWithSpec(Constraints)];
