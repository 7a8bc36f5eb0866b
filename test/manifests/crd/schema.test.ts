import { describe, expect, test } from '@jest/globals';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  ArrayUnique,
  Equals,
  IsAlpha,
  IsAlphanumeric,
  IsAscii,
  IsBoolean,
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
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import type { JsonSchema } from '../../../src/api/schema/json-schema.js';
import { openApiSchema } from '../../../src/manifests/crd/schema.js';
import { Description } from '../../../src/resource/decorators/description.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Schema } from '../../../src/resource/decorators/schema.js';
import type { FieldClass } from '../../../src/resource/decorators/field-options.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { kindWithSpec, Sound } from '../../resource/mistakes/classes.js';

enum Level {
  Low = 'low',
  High = 'high',
}
enum Size {
  Small = 1,
  Large = 2,
}

@Description('Part is a part')
@Schema({ mapType: 'atomic' })
class Part {
  @Field() name!: string;
}

function specSchema(spec: FieldClass): JsonSchema {
  return openApiSchema(buildResourceModels([kindWithSpec(spec)])[0]!).properties!['spec']!;
}

/** The schema of each property, by its name. */
function schemasOf(spec: FieldClass): Record<string, JsonSchema> {
  return specSchema(spec).properties!;
}

describe('the schema of a field', () => {
  class Spec {
    @Field() text!: string;
    @Field() flag!: boolean;
    @Field({ format: 'int32' }) int32!: number;
    @Field({ format: 'double' }) double!: number;
    @Field({ type: 'integer' }) integer!: number;
    @Field({ items: String }) names!: string[];
    @Field({ items: { items: { type: 'integer', minimum: 1 } } }) matrix!: number[][];
    @Field({ values: String }) labels!: Record<string, string>;
    @Field({ values: { items: Boolean } }) flags!: Record<string, boolean[]>;
    @Field({ type: () => Part }) part!: Part;
    @Field('A part of its own') described!: Part;
    @Field({ items: Part, listType: 'map', listMapKeys: ['name'] }) parts!: Part[];
    @Field({ intOrString: true }) port!: number | string;
    @Field({ preserveUnknownFields: true }) anything: unknown;
    @Field({ type: 'object', preserveUnknownFields: true }) open!: object;
    @Field({ type: String, nullable: true }) nothing!: string | null;
    @Field({ enum: Level }) level!: Level;
    @Field({ enum: Size }) size!: Size;
    @Field({ pattern: /^a\/b$/, title: 'T', example: 'a/b' }) pattern!: string;
    @Field({ default: ['a'], items: String, minItems: 1, listType: 'set' }) defaulted!: string[];
    @Field({ values: String, mapType: 'atomic', minProperties: 1, maxProperties: 2 }) map!: Record<string, string>;
  }

  const string = { type: 'string' } as const;
  const part = {
    description: 'Part is a part',
    type: 'object',
    properties: { name: string },
    required: ['name'],
    'x-kubernetes-map-type': 'atomic',
  };

  test.each<[keyof Spec, object]>([
    ['text', string],
    ['flag', { type: 'boolean' }],
    ['int32', { type: 'integer', format: 'int32' }],
    ['double', { type: 'number', format: 'double' }],
    ['integer', { type: 'integer' }],
    ['names', { type: 'array', items: string }],
    ['matrix', { type: 'array', items: { type: 'array', items: { type: 'integer', minimum: 1 } } }],
    ['labels', { type: 'object', additionalProperties: string }],
    ['flags', { type: 'object', additionalProperties: { type: 'array', items: { type: 'boolean' } } }],
    ['part', part],
    ['described', { ...part, description: 'A part of its own' }],
    ['parts', { type: 'array', items: part, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }],
    ['port', { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true }],
    ['anything', { 'x-kubernetes-preserve-unknown-fields': true }],
    ['open', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    ['nothing', { type: 'string', nullable: true }],
    ['level', { type: 'string', enum: ['low', 'high'] }],
    ['size', { type: 'integer', enum: [1, 2] }],
    ['pattern', { type: 'string', pattern: '^a/b$', title: 'T', example: 'a/b' }],
    ['defaulted', { type: 'array', items: string, default: ['a'], minItems: 1, 'x-kubernetes-list-type': 'set' }],
    [
      'map',
      {
        type: 'object',
        additionalProperties: string,
        'x-kubernetes-map-type': 'atomic',
        minProperties: 1,
        maxProperties: 2,
      },
    ],
  ])('the schema of a field is generated: %s', (name, schema) => {
    expect(schemasOf(Spec)[name]).toEqual(schema);
  });

  test('the expected schemas cover every field of the example', () => {
    expect(Object.keys(schemasOf(Spec))).toHaveLength(21);
  });

  test('required fields are listed in alphabetical order', () => {
    class Unsorted {
      @Field() b!: string;
      @Field() a!: string;
      @Field({ optional: true }) c?: string;
    }
    expect(specSchema(Unsorted).required).toEqual(['a', 'b']);
  });
});

describe('the schema of a constraint of class-validator', () => {
  class Spec {
    @Field() @IsInt() isInt!: number;
    @Field() @IsNumber() isNumber!: number;
    @Field() @IsInt() @IsNumber() both!: number;
    @Field() @IsString() isString!: string;
    @Field() @IsBoolean() isBoolean!: boolean;
    @Field({ values: String }) @IsObject() isObject!: Record<string, string>;
    @Field() @IsInt() @Min(1) @Max(9) bounds!: number;
    @Field() @IsInt() @IsPositive() isPositive!: number;
    @Field() @IsNumber() @IsNegative() isNegative!: number;
    @Field() @IsInt() @IsDivisibleBy(4) isDivisibleBy!: number;
    @Field() @MinLength(1) @MaxLength(2) lengths!: string;
    @Field() @Length(3) fromLength!: string;
    @Field() @Length(3, 4) isLength!: string;
    @Field() @Matches(/^\/a$/) matches!: string;
    @Field() @Matches('^b$') matchesText!: string;
    @Field() @IsAlpha() isAlpha!: string;
    @Field() @IsAlphanumeric() isAlphanumeric!: string;
    @Field() @IsHexadecimal() isHexadecimal!: string;
    @Field() @IsAscii() isAscii!: string;
    @Field() @IsIn(['a', 'b']) isIn!: string;
    @Field() @IsEnum(Level) isEnum!: Level;
    @Field() @IsInt() @IsEnum(Size) isIntEnum!: Size;
    @Field() @Equals('a') equals!: string;
    @Field({ items: String }) @ArrayMinSize(1) @ArrayMaxSize(2) sizes!: string[];
    @Field({ items: String }) @ArrayNotEmpty() arrayNotEmpty!: string[];
    @Field({ items: String }) @ArrayUnique() arrayUnique!: string[];
    @Field({ values: String }) @IsNotEmptyObject() isNotEmptyObject!: Record<string, string>;
    @Field() @IsNotEmpty() isNotEmpty!: string;
    @Field() @IsInt() @IsNotEmpty() isNotEmptyNumber!: number;
    @Field() @IsDefined() isDefined!: string;
    @Field({ items: Number }) @IsInt({ each: true }) @Min(1, { each: true }) @ArrayMinSize(1) each!: number[];
    @Field({ values: String }) @MinLength(1, { each: true }) eachValue!: Record<string, string>;
    @Field({ items: Part }) @ValidateNested({ each: true }) nested!: Part[];
  }

  const strings = { type: 'array', items: { type: 'string' } } as const;
  const map = { type: 'object', additionalProperties: { type: 'string' } } as const;

  test.each<[keyof Spec, object]>([
    ['isInt', { type: 'integer' }],
    ['isNumber', { type: 'number' }],
    ['both', { type: 'integer' }],
    ['isString', { type: 'string' }],
    ['isBoolean', { type: 'boolean' }],
    ['isObject', map],
    ['bounds', { type: 'integer', minimum: 1, maximum: 9 }],
    ['isPositive', { type: 'integer', minimum: 0, exclusiveMinimum: true }],
    ['isNegative', { type: 'number', maximum: 0, exclusiveMaximum: true }],
    ['isDivisibleBy', { type: 'integer', multipleOf: 4 }],
    ['lengths', { type: 'string', minLength: 1, maxLength: 2 }],
    ['fromLength', { type: 'string', minLength: 3 }],
    ['isLength', { type: 'string', minLength: 3, maxLength: 4 }],
    ['matches', { type: 'string', pattern: '^/a$' }],
    ['matchesText', { type: 'string', pattern: '^b$' }],
    ['isAlpha', { type: 'string', pattern: '^[A-Za-z]+$' }],
    ['isAlphanumeric', { type: 'string', pattern: '^[0-9A-Za-z]+$' }],
    ['isHexadecimal', { type: 'string', pattern: '^(0[xXhH])?[0-9A-Fa-f]+$' }],
    ['isAscii', { type: 'string', pattern: '^[\\x00-\\x7F]+$' }],
    ['isIn', { type: 'string', enum: ['a', 'b'] }],
    ['isEnum', { type: 'string', enum: ['low', 'high'] }],
    ['isIntEnum', { type: 'integer', enum: [1, 2] }],
    ['equals', { type: 'string', enum: ['a'] }],
    ['sizes', { ...strings, minItems: 1, maxItems: 2 }],
    ['arrayNotEmpty', { ...strings, minItems: 1 }],
    ['arrayUnique', { ...strings, 'x-kubernetes-list-type': 'set' }],
    ['isNotEmptyObject', { ...map, minProperties: 1 }],
    ['isNotEmpty', { type: 'string', minLength: 1 }],
    ['isNotEmptyNumber', { type: 'integer' }],
    ['isDefined', { type: 'string' }],
    ['each', { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 }],
    ['eachValue', { type: 'object', additionalProperties: { type: 'string', minLength: 1 } }],
  ])('the schema of a constraint of class-validator is generated: %s', (name, schema) => {
    expect(schemasOf(Spec)[name]).toEqual(schema);
  });
});

describe('the schema of a kind', () => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  @Description('A set')
  class PodSet extends Sound {
    @Field({ optional: false }) spec!: Part;
  }
  const schema = openApiSchema(buildResourceModels([PodSet])[0]!);

  test('the schema of a kind has the fields of every object and its own', () => {
    expect(Object.keys(schema.properties!)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(schema).toMatchObject({ type: 'object', description: 'A set', required: ['spec'] });
  });
});
