import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findDocComments } from '../../src/compiler/doc-comments.js';
import { lineNumbers } from '../../src/compiler/line-numbers.js';
import { positionAt } from '../../src/compiler/source-excerpt.js';

const FILE = '/project/operators/a.ts';
const linesOf = (source: string) => findDocComments(FILE, source).map(({ source: lines }) => lines);

describe('source lines of a class', () => {
  test('the source lines of a class are those of its name, its decorators and its members', () => {
    const source = `import { Kind, Owns } from 'kindwright';

/** A. */
@Kind({})
@Owns(Pod)
@Owns(
  Job,
)
export class A extends CustomResource {
  @Field()
  @IsInt()
  size!: number;
  'quoted-name'?: string;

  async reconcile(ctx: Context) {}
  static deleted() {}
}`;
    expect(linesOf(source)).toEqual([
      {
        file: FILE,
        line: 9,
        undecorated: { 'quoted-name': "'quoted-name'?: string;" },
        members: { size: 12, 'quoted-name': 13, reconcile: 15, deleted: 16 },
        decorators: { Kind: [4], Owns: [5, 6] },
      },
    ]);
  });

  test('source lines are recorded for members with names of Object.prototype', () => {
    const source = '@Kind({}) class A {\n constructor() {}\n toString() {}\n}';
    expect(linesOf(source)[0]?.members).toEqual({ constructor: 2, toString: 3 });
  });

  test('source lines are not recorded for a class without decorators', () => {
    expect(linesOf('/** A. */ class A { size = 1 }')).toEqual([undefined]);
  });

  test('lineNumbers agrees with positionAt in any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028', '😀'), maxLength: 40 });
    fc.assert(
      fc.property(text, (source) => {
        const lineAt = lineNumbers(source);
        for (let offset = 0; offset <= source.length; offset++) {
          if (source[offset - 1] === '\r' && source[offset] === '\n') continue; // inside a line break
          expect(lineAt(offset)).toBe(positionAt(source, offset).line);
        }
      }),
    );
  });
});
