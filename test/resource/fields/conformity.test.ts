import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Field } from '../../../src/resource/decorators/field.js';
import { violation } from '../../../src/resource/fields/conformity.js';
import type { ValueModel } from '../../../src/resource/fields/value-model.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { kindWithSpec } from '../mistakes/classes.js';

class Port {
  @Field({ format: 'int32', minimum: 1 }) number!: number;
  @Field({ default: 'TCP', optional: false }) protocol!: string;
}

class Spec {
  @Field({ optional: true, minLength: 2, maxLength: 3, pattern: '^[a-z]' }) text?: string;
  @Field({ optional: true, format: 'double', minimum: 0, exclusiveMinimum: true, maximum: 9, multipleOf: 0.5 })
  ratio?: number;
  @Field({ optional: true }) flag?: boolean;
  @Field({ optional: true, intOrString: true }) port?: number | string;
  @Field({ optional: true, preserveUnknownFields: true }) any?: unknown;
  @Field({ optional: true, type: String, nullable: true }) nullable?: string | null;
  @Field({ optional: true, enum: ['a', null], type: String, nullable: true }) level?: 'a' | null;
  @Field({ optional: true, items: Port, minItems: 1, maxItems: 2 }) ports?: Port[];
  @Field({ optional: true, values: { type: 'integer' }, maxProperties: 1 }) counts?: Record<string, number>;
  @Field({ optional: true, type: 'object', preserveUnknownFields: true }) open?: object;
}

const spec: ValueModel = buildResourceModels([kindWithSpec(Spec)])[0]!.fields[0]!.value;
const problem = (value: unknown): string | undefined => violation(value, spec);

describe('a value that conforms to its model', () => {
  test.each([
    {},
    { text: 'ab' },
    { text: 'é\u{1f600}'.replace('é', 'e') },
    { ratio: 0.5 },
    { ratio: 8.5 },
    { flag: false },
    { port: 80 },
    { port: 'http' },
    { any: [1, { a: null }] },
    { nullable: null },
    { ports: [{ number: 1 }] },
    { ports: [{ number: 1, protocol: 'UDP' }] },
    { counts: { a: 1 } },
    { open: { anything: 1 } },
    { text: undefined },
  ])('the value %j conforms to its model', (value) => {
    expect(problem(value)).toBeUndefined();
  });

  test('a value without a model may be any JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => value !== null),
        (any) => {
          expect(problem({ any })).toBeUndefined();
        },
      ),
    );
  });
});

describe('a value that does not conform', () => {
  test.each<[unknown, string]>([
    [null, 'is null'],
    ['text', 'is "text", not of type object'],
    [[], 'is [], not of type object'],
    [{ text: null }, '.text is null'],
    [{ text: 'a' }, '.text is "a", fewer than 2 characters'],
    [{ text: 'abcd' }, '.text is "abcd", more than 3 characters'],
    [{ text: 'Ab' }, '.text is "Ab", which does not match ^[a-z]'],
    [{ ratio: 0 }, '.ratio is 0, below the minimum 0'],
    [{ ratio: 9.5 }, '.ratio is 9.5, above the maximum 9'],
    // As in the API server, which calculates with integers exactly.
    [{ ratio: 1 }, '.ratio is 1, not a multiple of 0.5'],
    [{ ratio: 0.3 }, '.ratio is 0.3, not a multiple of 0.5'],
    [{ flag: 'true' }, '.flag is "true", not of type boolean'],
    [{ port: 1.5 }, '.port is 1.5, neither an integer nor a string'],
    [{ level: null }, '.level is null'],
    [{ ports: {} }, '.ports is {}, not of type array'],
    [{ ports: [] }, '.ports is [], fewer than 1 items'],
    [{ ports: [{}] }, '.ports[0].number is missing'],
    [{ ports: [{ number: 1.5 }] }, '.ports[0].number is 1.5, not of type integer'],
    [{ ports: [{ number: 1, name: 'x' }] }, '.ports[0].name is not a @Field of Port'],
    [{ counts: { a: 1, b: 2 } }, '.counts is {"a":1,"b":2}, more than 1 members'],
    [{ counts: { a: 'x' } }, '.counts.a is "x", not of type integer'],
    [{ unknown: 1 }, '.unknown is not a @Field of Spec'],
  ])('the value %j does not conform: %s', (value, text) => {
    expect(problem(value)).toBe(text);
  });
});
