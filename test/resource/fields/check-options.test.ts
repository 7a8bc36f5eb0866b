import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Field } from '../../../src/resource/decorators/field.js';
import type { FieldOptions } from '../../../src/resource/decorators/field-options.js';
import { ModelError } from '../../../src/resource/model-error.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { kindWithSpec } from '../mistakes/classes.js';

/** The errors of a spec with a field of these options. */
function errorsOf(options: Readonly<Record<string, unknown>>): string[] {
  class Spec {
    @Field(options as FieldOptions) value!: string;
    @Field() broken!: symbol;
  }
  try {
    buildResourceModels([kindWithSpec(Spec)]);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return error.diagnostics.map(({ member = '', problem, hint }) => `${member} ${problem}; ${hint}`);
  }
  return [];
}

const OPTIONS = [
  ...['description', 'type', 'items', 'values', 'intOrString', 'preserveUnknownFields', 'embeddedResource', 'schema'],
  ...['title', 'externalDocs', 'maxDescriptionLength', 'format', 'default', 'example', 'nullable', 'enum', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'multipleOf', 'minLength', 'maxItems', 'minProperties', 'listType'],
  ...['listMapKeys', 'mapType', 'validations', 'allOf', 'anyOf', 'oneOf', 'not', 'optional'],
];

describe('options of @Field that TypeScript would refuse', () => {
  test('unknown options of @Field are reported with the nearest option, or with the allowed values', () => {
    expect(errorsOf({ minLenght: 3, maxLength: '5', enum: 'a', schemas: {}, quux: 1 })).toEqual([
      "value unknown option 'minLenght'; did you mean minLength?",
      'value option maxLength has an invalid value; maxLength: a number',
      'value option enum has an invalid value; enum: an array or an enum',
      "value unknown option 'schemas'; did you mean schema?",
      "value unknown option 'quux'; remove quux",
      expect.stringMatching(/^broken /),
    ]);
  });

  test('invalid options of @Field never hide other errors', () => {
    const junk = fc.oneof(
      fc.constantFrom(null, 0, -1, Number.NaN, '', 'x', true, false, Symbol.iterator, () => undefined, [], {}),
      fc.constantFrom([null], [[]], [{}], { a: null }, String, /x/, new Map()),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...OPTIONS), junk, { maxKeys: 4 }), (options) => {
        expect(errorsOf(options).at(-1)).toMatch(/^broken /);
      }),
      { numRuns: 500 },
    );
  });
});
