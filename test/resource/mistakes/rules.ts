import { IsIn, IsInt, Length, Matches, Max, Min, MinLength } from 'class-validator';
import { Field } from '../../../src/resource/decorators/field.js';
import { kindWithSpec } from './classes.js';

class Rules {
  @Field() @IsInt() @Min(5) @Max(3) crossed!: number;
  @Field() @Length(5, 3) crossedLength!: string;
  @Field({ format: 'int32', maximum: 2 ** 31 }) beyond!: number;
  @Field({ format: 'int64', minimum: -(2 ** 60) }) inexact!: number;
  @Field({ format: 'double', multipleOf: 0 }) divisor!: number;
  @Field({ format: 'int32', minimum: 0.5 }) half!: number;
  @Field({ maxLength: 1.5 }) fraction!: string;
  @Field({ format: 'int32', exclusiveMinimum: true, minimum: 1, maximum: 1 }) nothing!: number;
  @Field({ format: 'int32' }) misformatted!: string;
  @Field({ minimum: 1 }) misplaced!: string;
  @Field({ minLength: 1 }) @MinLength(2) twice!: string;
  @Field() @MinLength(1) @IsInt() mixed!: number;
  @Field() @IsInt({ each: true }) noList!: string;
  @Field({ enum: [] }) noValues!: string;
  @Field({ enum: ['a', 'a'] }) sameValues!: string;
  @Field() @IsIn(['a', 1]) mixedValues!: string;
  @Field() @Matches(/^(?!x)/) lookAhead!: string;
  @Field() @Matches(/(a)\1/) reference!: string;
  @Field() @Matches(/^a/i) flagged!: string;
  @Field() @Matches(/\u00e9/) escaped!: string;
  @Field() @Matches(/a{2000}/) repeated!: string;
  @Field({ pattern: /^(?!x)/ }) lookAheadOption!: string;
  @Field({ pattern: /^a/i }) flaggedOption!: string;
  @Field({ default: 2.5, format: 'int32' }) wrongDefault!: number;
  @Field({ default: 'c', enum: ['a', 'b'] }) foreignDefault!: string;
  @Field({ default: 'x', pattern: /^[0-9]+$/ }) unmatchedDefault!: string;
  @Field({ example: ['a'], items: { type: String, minLength: 2 } }) wrongExample!: string[];
}

export const classes = [kindWithSpec(Rules)];
