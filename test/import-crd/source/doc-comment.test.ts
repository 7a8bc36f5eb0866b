import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findDocComments } from '../../../src/compiler/doc-comments.js';
import { docComment } from '../../../src/import-crd/source/doc-comment.js';
import { describeProperty, DOCS } from '../../../src/resource/doc-comments.js';

const shared = globalThis as { [DOCS]?: WeakMap<object, object> | undefined };
afterEach(() => {
  shared[DOCS] = undefined;
});

/** What generate-manifests reads from a comment. */
function read(comment: string): string | undefined {
  const [docs] = findDocComments('a.ts', `class Read {\n${comment}  a?: string;\n}\n`);
  class Read {}
  shared[DOCS] = new WeakMap([[Read, docs ?? { properties: {} }]]);
  return describeProperty(Read, 'a');
}

const line = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '',
    '* item',
    ' indented',
    'TODO: x',
    '---',
    '@tag',
    '*/',
    '```',
    '{@link Foo}',
    'x '.repeat(70),
    '\r',
  ),
);

describe('doc comments', () => {
  test('doc comments are read as the text that they were made of, or are not made', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
        const text = lines.join('\n');
        const comment = docComment(text, 2);
        if (comment !== undefined) expect(read(comment)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['One line.', 'Two\nlines', 'A list:\n\n* one\n* two', '* one', 'x '.repeat(100).trim()])(
    'a doc comment can contain %j',
    (text) => {
      expect(read(docComment(text, 2) ?? '')).toBe(text);
    },
  );
});
