import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findDocComments } from '../../src/compiler/doc-comments.js';

/** Class docs without source lines. */
const docsOf = (source: string) =>
  findDocComments('/project/operators/a.ts', source).map(({ source: _, ...docs }) => docs);

describe('findDocComments', () => {
  test('the doc comments of a class and its properties are found', () => {
    const source = '/** A class. */\nclass A {\n  /** Its size. */\n  size!: number;\n}';
    expect(docsOf(source)).toEqual([{ className: 'A', description: 'A class.', properties: { size: 'Its size.' } }]);
  });

  test('doc comments are found above decorators', () => {
    const source =
      "/** A. */\n@Kind({})\n@Owns(B)\nexport class A {\n  /** S. */\n  @Field('x') @IsInt() size!: number;\n}";
    expect(docsOf(source)).toEqual([{ className: 'A', description: 'A.', properties: { size: 'S.' } }]);
  });

  test('a doc comment keeps its line breaks and indentation', () => {
    const source = '/**\n * First\n * line.\n *\n *   - item\n */\nclass A {}';
    expect(docsOf(source)[0]?.description).toBe('First\nline.\n\n  - item');
  });

  test('a doc comment ends at its first tag', () => {
    const source = '/**\n * Text with an e-mail@address.\n *\n * @deprecated use B\n * more\n */\nclass A {}';
    expect(docsOf(source)[0]?.description).toBe('Text with an e-mail@address.');
  });

  test('plain comments between a doc comment and its declaration are ignored', () => {
    expect(docsOf('/** A. */\n// eslint-disable-next-line\n/* plain */ class A {}')[0]?.description).toBe('A.');
  });

  test('doc comments of other declarations are ignored', () => {
    expect(docsOf('/** About x. */\nconst x = 1;\nclass A { y = 1 }')).toEqual([]);
  });

  test('doc comments of static, private, computed and method members are ignored', () => {
    const members = ['static a = 1', '#b = 1', '["c"] = 1', 'd() {}', 'get e() { return 1 }'];
    expect(docsOf(`class A {\n${members.map((member) => `/** no */ ${member};`).join('\n')}\n}`)).toEqual([]);
  });

  test('a quoted property has its doc comment', () => {
    expect(docsOf("class A {\n /** Q. */\n 'quoted-name'?: string }")[0]?.properties).toEqual({ 'quoted-name': 'Q.' });
  });

  test('doc comments of declared, anonymous and local classes are ignored', () => {
    const source =
      '/** a */ declare class A {}\n/** b */ export default class {}\nfunction f() { /** c */ class C {} }';
    expect(docsOf(source)).toEqual([]);
  });

  test('positions count UTF-16 units', () => {
    expect(docsOf("const s = '😀é';\n/** A 😀. */\nclass A {}")[0]?.description).toBe('A 😀.');
  });

  test('every text that a comment can contain is found', () => {
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

  test('a syntax error has file, line, column and the source line', () => {
    const source = 'class A {\n\tsize = ;\n}';
    expect(() => docsOf(source)).toThrow(
      '/project/operators/a.ts:2:9: Unexpected token\n  2 | \tsize = ;\n    | \t       ^',
    );
  });
});

describe('the declared type of a property', () => {
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
  ])('the declared type of a decorated property is found: %s', (_title, declaration, declared) => {
    expect(declaredOf(declaration)).toEqual({ a: declared });
  });

  test.each(["@Field() a!: 'x' | string", '@Field() a!: Other', 'a?: number'])(
    'a declaration without a relevant type is ignored: %s',
    (declaration) => {
      expect(declaredOf(declaration)).toBeUndefined();
    },
  );

  test.each([
    ["import { Condition } from 'kindwright'", 'Condition[]', { isConditions: true, option: 'items: Condition' }],
    ["import { type Condition as C } from 'kindwright'", 'readonly C[]', { isConditions: true, option: 'items: C' }],
    ["import { Condition } from './own.js'", 'Condition[]', { option: 'items: Condition' }],
  ])('a list of conditions of kindwright is found by its import: %s', (statement, type, facts) => {
    const source = `${statement}; class A { @Field() a?: ${type} }`;
    expect(docsOf(source)[0]?.declared).toMatchObject({ a: { isOptional: true, ...facts } });
    expect(docsOf(source)[0]?.declared?.['a']?.isConditions).toBe('isConditions' in facts ? true : undefined);
  });

  test('a circle of type names is not followed', () => {
    expect(docsOf('type A = B | 1; type B = A; class C { @Field() a!: A }')[0]?.declared).toBeUndefined();
  });
});
