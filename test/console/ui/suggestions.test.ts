import { describe, expect, test } from '@jest/globals';
import { suggestionsAt, type FieldSchema } from '../../../src/console/ui/suggestions.js';

const SCHEMA: FieldSchema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', description: 'Number of pods.\nMore text.' },
        policy: { type: 'string', enum: ['Always', 'Never'] },
        paused: { type: 'boolean' },
        ports: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } },
        },
        labels: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { value: { type: 'string' } } },
        },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
  },
};

/** The labels at the place of `|`. */
function labels(text: string): string[] {
  const offset = text.indexOf('|');
  return suggestionsAt(SCHEMA, text.replace('|', ''), offset).map(({ label }) => label);
}

describe('suggestions of the editor', () => {
  test.each([
    ['at the root, without the status', 'apiVersion: v1\n|', ['kind', 'metadata', 'spec']],
    [
      'in an object, without those that are there',
      'spec:\n  size: 1\n  |\n  paused: true\n',
      ['policy', 'ports', 'labels'],
    ],
    ['that begin with what is written', 'spec:\n  p|', ['policy', 'paused', 'ports']],
    ['after another object', 'spec:\n  labels:\n    a:\n      value: x\n  si|', ['size']],
    ['in the item of a list', 'spec:\n  ports:\n    - name: http\n      |', ['port']],
    ['at the start of an item', 'spec:\n  ports:\n    - name: http\n    - |', ['name', 'port']],
    ['in a list at the column of its key', 'spec:\n  ports:\n  - port: 1\n    |', ['name']],
    ['after a list', 'spec:\n  ports:\n    - name: http\n  pa|', ['paused']],
    ['of any key', 'spec:\n  labels:\n    example.com/a:\n      |', ['value']],
    ['of an object with comments', '# text\nspec: # more\n  # text\n  s|', ['size']],
    ['of no known object', 'spec:\n  other:\n    |', []],
    ['within a value', 'spec:\n  size: 1 2|', []],
    ['within a comment', 'spec:\n  # s|', []],
  ])('are fields %s', (_, text, expected) => {
    expect(labels(text)).toEqual(expected);
  });

  test.each([
    ['an enumeration', 'spec:\n  policy: |', ['Always', 'Never']],
    ['a boolean', 'spec:\n  paused: t|', ['true', 'false']],
    ['a number', 'spec:\n  size: |', []],
  ])('are the values of %s', (_, text, expected) => {
    expect(labels(text)).toEqual(expected);
  });

  test('replace what is written, and begin what follows', () => {
    const text = 'spec:\n  po';
    const found = suggestionsAt(SCHEMA, text, text.length);
    expect(found.map(({ from, insert }) => text.slice(0, from) + insert)).toEqual([
      'spec:\n  policy: ',
      'spec:\n  ports:\n    - ',
    ]);
  });

  test('have the type, the first line of the description, and whether the field is required', () => {
    expect(suggestionsAt(SCHEMA, 'spec:\n  si', 10)).toMatchObject([
      { label: 'size', type: 'integer', about: 'Number of pods.', isRequired: true },
    ]);
  });
});
