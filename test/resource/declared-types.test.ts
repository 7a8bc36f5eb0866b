import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { IsDefined, IsIn } from 'class-validator';
import { Field } from '../../src/resource/decorators/field.js';
import type { DeclaredType } from '../../src/resource/declared-type.js';
import { DOCS } from '../../src/resource/doc-comments.js';
import type { FieldClass } from '../../src/resource/decorators/field-options.js';
import { ModelError } from '../../src/resource/model-error.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { kindWithSpec } from './mistakes/classes.js';

const shared = globalThis as { [DOCS]?: WeakMap<object, object> | undefined };

beforeEach(() => {
  shared[DOCS] = new WeakMap();
});
afterEach(() => {
  shared[DOCS] = undefined;
});

/** The required fields of the spec, or its errors, for these declared types of its properties. */
function read(spec: FieldClass, declared: Readonly<Record<string, DeclaredType>>): string[] {
  shared[DOCS]?.set(spec, { properties: {}, declared });
  try {
    const [model] = buildResourceModels([kindWithSpec(spec)]);
    const fields = model!.fields[0]!.value.class!.fields;
    return fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return error.diagnostics.map(({ member, problem, hint }) => `${member ?? ''} ${problem}; ${hint}`);
  }
}

describe('declared types', () => {
  test('a question mark makes a field optional unless an option overrides it', () => {
    class Spec {
      @Field() a?: string;
      @Field({ optional: false }) b?: string;
      @Field() @IsDefined() c?: string;
      @Field() d!: string;
    }
    const isOptional = { isOptional: true } as const;
    expect(read(Spec, { a: isOptional, b: isOptional, c: isOptional })).toEqual(['b', 'c', 'd']);
  });

  test('null in a declared type is an error if the schema does not allow null', () => {
    class Spec {
      @Field({ type: String }) a!: string | null;
      @Field({ type: String, nullable: true }) b!: string | null;
      @Field({ preserveUnknownFields: true }) c!: string | null;
    }
    const isNullable = { isNullable: true } as const;
    expect(read(Spec, { a: isNullable, b: isNullable, c: isNullable })).toEqual([
      'a is declared with null, which the schema does not allow; @Field({ nullable: true }) a, or remove null',
    ]);
  });

  test('null or undefined beside a primitive type leaves its type known', () => {
    class Spec {
      @Field({ nullable: true }) a!: string | null;
      @Field({ format: 'int32' }) b?: number | undefined;
      @Field() c!: string | null;
    }
    const string = { isNullable: true, primitive: 'string' } as const;
    const number = { isOptional: true, primitive: 'number' } as const;
    expect(read(Spec, { a: string, b: number, c: string })).toEqual([
      'c is declared with null, which the schema does not allow; @Field({ nullable: true }) c, or remove null',
    ]);
  });

  test('values in a declaration are an error where the schema takes any', () => {
    class Spec {
      @Field() a!: 'x' | "it's";
      @Field({ format: 'int32' }) b!: 1 | 2;
      @Field({ enum: ['x'] }) c!: 'x';
      @Field() @IsIn(['x']) d!: 'x';
      @Field({ type: String }) e!: 'x';
    }
    const x = { literals: ['x'] };
    expect(read(Spec, { a: { literals: ['x', "it's"] }, b: { literals: [1, 2] }, c: x, d: x, e: x })).toEqual([
      String.raw`a is declared with 2 values, but the schema would allow any string; @Field({ enum: ['x', 'it\'s'] }) a, or type: String for any`,
      "b is declared with 2 values, but the schema would allow any integer; @Field({ enum: [1, 2] }) b, or type: 'integer' for any",
    ]);
  });

  test('an enum in a declaration is an error where the schema takes any', () => {
    class Spec {
      @Field() a!: string;
      @Field({ format: 'int32' }) b!: number;
      @Field({ enum: ['x'] }) c!: string;
      @Field() @IsIn(['x']) d!: string;
    }
    const phase = { enumName: 'Phase' };
    expect(read(Spec, { a: phase, b: phase, c: phase, d: phase })).toEqual([
      'a is declared as enum Phase, but the schema would allow any string; @Field({ enum: Phase }) a',
      'b is declared as enum Phase, but the schema would allow any integer; @Field({ enum: Phase }) b',
    ]);
  });

  test('a tuple is an error', () => {
    class Spec {
      @Field({ items: String }) a!: [string, string];
    }
    expect(read(Spec, { a: { isTuple: true } })).toEqual([
      'a is a tuple, and all items of an array must have one type; use a class with a field for each item, or an array of one type',
    ]);
  });
});
