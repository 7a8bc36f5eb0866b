import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findDocComments } from '../../src/compiler/doc-comments.js';

/** Class docs without source lines. */
const docsOf = (source: string) =>
  findDocComments('/project/operators/a.ts', source).map(({ source: _, ...docs }) => docs);

describe('findDocComments', () => {
  test('takes the comment above a class and those above its properties', () => {
    const source = '/** A class. */\nclass A {\n  /** Its size. */\n  size!: number;\n}';
    expect(docsOf(source)).toEqual([{ className: 'A', description: 'A class.', properties: { size: 'Its size.' } }]);
  });

  test('looks above the decorators', () => {
    const source =
      "/** A. */\n@Kind({})\n@Owns(B)\nexport class A {\n  /** S. */\n  @Field('x') @IsInt() size!: number;\n}";
    expect(docsOf(source)).toEqual([{ className: 'A', description: 'A.', properties: { size: 'S.' } }]);
  });

  test('keeps the line breaks and the indentation of the text', () => {
    const source = '/**\n * First\n * line.\n *\n *   - item\n */\nclass A {}';
    expect(docsOf(source)[0]?.description).toBe('First\nline.\n\n  - item');
  });

  test('stops at the first tag', () => {
    const source = '/**\n * Text with an e-mail@address.\n *\n * @deprecated use B\n * more\n */\nclass A {}';
    expect(docsOf(source)[0]?.description).toBe('Text with an e-mail@address.');
  });

  test('passes over plain comments between the doc comment and what it documents', () => {
    expect(docsOf('/** A. */\n// eslint-disable-next-line\n/* plain */ class A {}')[0]?.description).toBe('A.');
  });

  test('takes nothing from a comment that documents something else', () => {
    expect(docsOf('/** About x. */\nconst x = 1;\nclass A { y = 1 }')).toEqual([]);
  });

  test('leaves static, private, computed and method members out', () => {
    const members = ['static a = 1', '#b = 1', '["c"] = 1', 'd() {}', 'get e() { return 1 }'];
    expect(docsOf(`class A {\n${members.map((member) => `/** no */ ${member};`).join('\n')}\n}`)).toEqual([]);
  });

  test('takes a quoted property by its name', () => {
    expect(docsOf("class A {\n /** Q. */\n 'quoted-name'?: string }")[0]?.properties).toEqual({ 'quoted-name': 'Q.' });
  });

  test('leaves out classes that are only declared, have no name or stand in a function', () => {
    const source =
      '/** a */ declare class A {}\n/** b */ export default class {}\nfunction f() { /** c */ class C {} }';
    expect(docsOf(source)).toEqual([]);
  });

  test('finds the place behind letters of two UTF-16 units', () => {
    expect(docsOf("const s = '😀é';\n/** A 😀. */\nclass A {}")[0]?.description).toBe('A 😀.');
  });

  test('finds any text again that a comment can hold', () => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Zäß😀.,;:'"`$\\{}()-]{1,10}$/u), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), (lines) => {
        const text = lines.map((line) => line.join(' '));
        const comment = `/**\n${text.map((line) => ` * ${line}`).join('\n')}\n */`;
        expect(docsOf(`${comment}\nexport class A {}`)[0]?.description).toBe(text.join('\n'));
      }),
      { numRuns: 50 },
    );
  });

  test('reports a syntax error with file, line, column and the line itself', () => {
    const source = 'class A {\n\tsize = ;\n}';
    expect(() => docsOf(source)).toThrow(
      '/project/operators/a.ts:2:9: Unexpected token\n  2 | \tsize = ;\n    | \t       ^',
    );
  });
});

describe('what the declaration of a decorated property says', () => {
  const declaredOf = (declarations: string) =>
    docsOf(`type Size = 1 | 2; enum Phase { A } class A { ${declarations} }`)[0]?.declared;

  test.each([
    ['a question mark', '@Field() a?: number', { isOptional: true }],
    ['null', '@Field() a!: string | null', { isNullable: true, primitive: 'string' }],
    ['undefined', '@Field() a?: boolean | undefined', { isOptional: true, primitive: 'boolean' }],
    ['null beside a class', '@Field() a!: Other | null', { isNullable: true, option: 'type: () => Other' }],
    ['values', "@Field() a!: 'x' | 'y'", { literals: ['x', 'y'] }],
    [
      'values, null and undefined',
      "@Field() a?: ('x' | null) | undefined",
      { isOptional: true, isNullable: true, literals: ['x'] },
    ],
    ['values that the module names', '@Field() a!: Size | -1', { literals: [1, 2, -1] }],
    ['an enum of the module', '@Field() a!: Phase', { enumName: 'Phase' }],
    ['an enum of the module, or null', '@Field() a!: Phase | null', { isNullable: true, enumName: 'Phase' }],
    ['a tuple', '@Field() a!: [string, number]', { isTuple: true }],
    ['an array', '@Field() a!: string[]', { option: 'items: String' }],
    ['an initializer without a type', '@Field() a = 1', { inferred: 'number' }],
  ])('%s', (_title, declaration, declared) => {
    expect(declaredOf(declaration)).toEqual({ a: declared });
  });

  test.each(["@Field() a!: 'x' | string", '@Field() a!: Other', 'a?: number'])(
    'is of no interest: %s',
    (declaration) => {
      expect(declaredOf(declaration)).toBeUndefined();
    },
  );

  test('is not followed round a circle of names', () => {
    expect(docsOf('type A = B | 1; type B = A; class C { @Field() a!: A }')[0]?.declared).toBeUndefined();
  });
});
