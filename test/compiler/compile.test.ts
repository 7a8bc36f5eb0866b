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

  test('emits the types of decorated properties', () => {
    expect(code).toMatch(/"design:type", Number/);
  });

  test('emits nothing for a property without a value, so that it does not hide what is hydrated', () => {
    expect(code).not.toMatch(/this\.size|^\s*size;/m);
  });

  test('maps a line to the line of the source', () => {
    const line = code.split('\n').findIndex((text) => text.includes("return 'ran'"));
    const entry = new SourceMap(mapOf(code)).findEntry(line, code.split('\n')[line]!.indexOf('return'));
    expect(entry).toMatchObject({ originalSource: 'file:///project/a.ts', originalLine: 15 });
  });

  test('carries the source, so that a debugger needs no file', () => {
    expect(mapOf(code).sourcesContent).toEqual([SOURCE]);
  });

  test('lets a field be of a class that is defined below, as far as running goes', () => {
    const later = compileWithInlineMap('/project/a.ts', 'class A { @Field({ type: () => B }) b!: B }\nclass B {}');
    expect(later).toContain(
      '(()=>{ try { return typeof B === "undefined" ? Object : B; } catch { return undefined; } })()',
    );
  });

  test('registers doc comments behind all other code', () => {
    expect(code.indexOf('__docs.set(Spec, {"description":"A spec."')).toBeGreaterThan(code.indexOf('class A'));
  });

  test('registers nothing for a module without doc comments', () => {
    expect(compileWithInlineMap('/project/b.ts', 'export const x = 1;')).not.toContain('kindwright.docs');
  });

  test('reports a syntax error as an error of the operator', () => {
    expect(() => compileWithInlineMap('/project/a.ts', 'const = 1')).toThrow(
      expect.objectContaining({ code: 'E_SYNTAX' }),
    );
  });

  test('reports what only the compiler refuses, with its place', () => {
    expect(() =>
      compileWithInlineMap('/project/a.ts', 'class A { constructor(); }\nfoo: while (1) { break bar; }'),
    ).toThrow(expect.objectContaining({ code: 'E_SYNTAX', message: expect.stringContaining('/project/a.ts') }));
  });
});
