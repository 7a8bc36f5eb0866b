import { SourceMap, type SourceMapPayload } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { compileWithInlineMap } from '../../src/compiler/compile.js';

const SOURCE = `import { Field, Kind } from 'kindwright';

interface Unused { a: string }

/** A spec. */
class Spec {
  @Field() size!: number;
  count = 1;
}

@Kind({})
export class A {
  @Field() spec!: Spec;

  run(): string {
    return 'ran';
  }
}
`;

const mapOf = (code: string) => {
  const encoded = code.split('base64,')[1] ?? '';
  return JSON.parse(Buffer.from(encoded, 'base64').toString()) as SourceMapPayload;
};

describe('compileWithInlineMap', () => {
  const code = compileWithInlineMap('/project/a.ts', SOURCE);

  test('the compiler emits the types of decorated properties', () => {
    expect(code).toMatch(/"design:type", Number/);
  });

  test('the compiler emits nothing for a property without a value, so that it does not hide hydrated values', () => {
    expect(code).not.toMatch(/this\.size|^\s*size;/m);
  });

  test('the source map maps each line to the line of the source', () => {
    const line = code.split('\n').findIndex((text) => text.includes("return 'ran'"));
    const entry = new SourceMap(mapOf(code)).findEntry(line, code.split('\n')[line]!.indexOf('return'));
    expect(entry).toMatchObject({ originalSource: 'file:///project/a.ts', originalLine: 15 });
  });

  test('the source map contains the source, so that a debugger needs no file', () => {
    expect(mapOf(code).sourcesContent).toEqual([SOURCE]);
  });

  test('the compiler accepts a field of a class that is defined below', () => {
    const later = compileWithInlineMap('/project/a.ts', 'class A { @Field({ type: () => B }) b!: B }\nclass B {}');
    expect(later).toContain(
      '(()=>{ try { return typeof B === "undefined" ? Object : B; } catch { return undefined; } })()',
    );
  });

  test('the compiler registers doc comments after all other code', () => {
    expect(code.indexOf('__docs.set(Spec, {"description":"A spec."')).toBeGreaterThan(code.indexOf('class A'));
  });

  test('the compiler registers nothing for a module without doc comments', () => {
    expect(compileWithInlineMap('/project/b.ts', 'export const x = 1;')).not.toContain('kindwright.docs');
  });

  test('a syntax error is reported as an error of the operator', () => {
    expect(() => compileWithInlineMap('/project/a.ts', 'const = 1')).toThrow(
      expect.objectContaining({ code: 'E_SYNTAX' }),
    );
  });

  test('errors that only the compiler finds are reported with their position', () => {
    expect(() =>
      compileWithInlineMap('/project/a.ts', 'class A { constructor(); }\nfoo: while (1) { break bar; }'),
    ).toThrow(expect.objectContaining({ code: 'E_SYNTAX', message: expect.stringContaining('/project/a.ts') }));
  });

  test.each([
    ['@Field() accessor size = 1;', 'A.size: the keyword accessor is not supported', 'remove accessor'],
    ['accessor size = 1;', 'A.size: the keyword accessor is not supported', 'remove accessor'],
    ['@Field() #size!: number;', 'A.#size: private members cannot have decorators', 'name it size'],
    ['@Every("1h") #tick(): void {}', 'A.#tick: private members cannot have decorators', 'name it tick'],
  ])('the class member %s, which Node could not parse, is an error with its line', (member, problem, hint) => {
    expect(() => compileWithInlineMap('/project/a.ts', `export class A {\n  ${member}\n}`)).toThrow(
      expect.objectContaining({ message: `/project/a.ts:2: ${problem}`, hint, code: 'E_SYNTAX' }),
    );
  });

  test('private members without decorators compile', () => {
    expect(compileWithInlineMap('/project/a.ts', 'class A { #size = 1; size() { return this.#size; } }')).toContain(
      '#size',
    );
  });

  test.each(['Object', 'Symbol', 'Reflect', 'Array', 'String'])(
    'a class named %s, which compiled classes refer to, is an error with the name to use',
    (name) => {
      expect(() => compileWithInlineMap('/project/a.ts', `@Kind({})\nexport class ${name} {}`)).toThrow(
        expect.objectContaining({
          message: `/project/a.ts:2: class ${name} has the name of a global that compiled classes use`,
          hint: expect.stringContaining(`kind: '${name}' }) class ${name}Resource`),
        }),
      );
    },
  );
});
