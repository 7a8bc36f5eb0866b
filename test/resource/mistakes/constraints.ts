import {
  ArrayContains,
  Contains,
  IsDate,
  IsEmail,
  IsInt,
  IsIP,
  IsNotIn,
  IsNumber,
  IsOptional,
  IsPort,
  IsString,
  IsUrl,
  IsUUID,
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
  @Field() @IsIP() ip!: string;
  @Field() @IsIP(6) ipv6!: string;
  @Field() @IsEmail() email!: string;
  @Field() @IsUUID() uuid!: string;
  @Field({ items: String }) @ArrayContains(['x', 'y']) both!: string[];
  @Field() @IsNotIn(["it's", 'b']) notIn!: string;
  @Field() @IsUrl() url!: string;
  @Field() @MinDate(new Date(0)) late!: Date;
  @Field() @IsPort() port!: string;
  @Field() @Contains('x') contains!: string;
  @Field() @NotEquals('x') notEquals!: string;
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
