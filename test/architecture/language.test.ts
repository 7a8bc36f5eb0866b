import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkLanguage } from './language-check.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'language-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function check(files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkLanguage(root);
}

describe('the language check', () => {
  test.each([
    ['a doc comment that begins with Whether', '/** Whether it runs. */\nlet a;', 'src/a.ts:1 "/** Whether …"'],
    [
      'a phrase that spans two lines of a comment',
      '/**\n * This is told\n * to users, which is\n * none of it. */',
      'is told',
    ],
    ['a word in a line comment', 'let a; // tells the user', 'src/a.ts:1 "tells"'],
    ['a phrase in a message', "let a;\nlet b = 'the plugin is no executable';", 'src/a.ts:2 "is no e"'],
    [
      'a function without a result whose name does not state that it throws',
      'let a;\nfunction checkName(\n  name: string,\n): void {}',
      'src/a.ts:2 "checkName"',
    ],
    ['a phrase in a template', 'let a = `${name}: mend the object`;', 'src/a.ts:1 "mend"'],
  ])('the language check rejects %s', (_title, source, violation) => {
    const { isOk, output } = check({ 'src/a.ts': source });
    expect(isOk).toBe(false);
    expect(output).toContain(violation);
  });

  test.each([
    ['a line comment that begins with What', '// What follows is sorted.'],
    ['"there is no such object", a message of Kubernetes', "let a = 'but there is no such object';"],
    ['"is no longer"', "let a = 'the object is no longer cached';"],
    ['an identifier', 'const anew = tell(said);'],
    ['a message of Kubernetes with a rejected word', "let a = 'the server said this is invalid';"],
  ])('the language check accepts %s', (_title, source) => {
    expect(check({ 'src/a.ts': source })).toMatchObject({ isOk: true, output: '' });
  });

  test.each([
    ['a phrase with two meanings', '// All start at once.', 'src/a.ts:1 "at once"'],
    ['else as an adverb', '/** The name, or else the path. */', 'src/a.ts:1 "or else"'],
    ['a pronoun that begins a sentence', '/** The names. Those of pods are long. */', 'src/a.ts:1 "Those of"'],
    [
      'two pronouns in a sentence',
      '/** The names: that of a pod or that of a job. */',
      'src/a.ts:1 "that of a pod or that of"',
    ],
  ])('the language check rejects %s in comments', (_title, source, violation) => {
    expect(check({ 'src/a.ts': source }).output).toBe(violation);
  });

  test('the language check rejects usage in titles and comments of tests, but not in their values', () => {
    const source = "// All at once.\ntest('it starts at once', async () => {\n  f('not at once', 1);\n});\n";
    expect(check({ 'test/a.test.ts': source }).output).toBe('test/a.test.ts:1 "at once"\ntest/a.test.ts:2 "at once"');
  });

  test('the language check rejects phrases in titles and comments of tests, but not in their values', () => {
    const source =
      "// Nobody waits.\ntest('a message that nobody sees', () => {\n  f('nobody knows', 'text/*.ts');\n});\n";
    expect(check({ 'test/a.test.ts': source }).output).toBe('test/a.test.ts:1 "Nobody"\ntest/a.test.ts:2 "nobody"');
  });

  test('the language check accepts usage in the embedded server, whose suites run after each change', () => {
    expect(check({ 'src/apiserver/a.ts': '// All at once.' })).toMatchObject({ isOk: true });
  });

  test('the language check rejects phrases in documents, but not in their code', () => {
    const { output } = check({ 'docs/a.md': '# A\n\n```\nsay anew\n```\n\nIt is written anew.\n' });
    expect(output).toBe('docs/a.md:7 "anew"');
  });

  test('the language check rejects phrases in expected messages', () => {
    expect(check({ 'test/errors/a.txt': 'hint: mend the class\n' }).output).toContain('test/errors/a.txt:1 "mend"');
  });

  test('the language check rejects a class and a function of one name in two files', () => {
    const files = { 'src/a.ts': 'export class Queue {}', 'src/b.ts': 'export async function Queue() {}' };
    expect(check(files).output).toBe('Queue is exported by several files: src/a.ts, src/b.ts');
  });

  const twoTypes = (first: string, second: string) =>
    check({ [first]: 'export interface Queue {}', [second]: 'export type Queue = string;' });

  test.each([
    ['the SDK', 'src/a.ts', 'src/b.ts'],
    ['the embedded server', 'src/apiserver/a.ts', 'src/apiserver/b.ts'],
  ])('the language check rejects two types of one name in %s', (_title, first, second) => {
    expect(twoTypes(first, second).output).toBe(`Queue is exported by several files: ${first}, ${second}`);
  });

  test.each([
    ['in the embedded server', 'src/apiserver/b.ts'],
    ['in the generated definitions of Kubernetes', 'src/resource/definitions/b.ts'],
  ])('the language check accepts a type with the name of one %s', (_title, second) => {
    expect(twoTypes('src/a.ts', second).isOk).toBe(true);
  });

  test('the language check accepts overloads and functions that are not exported', () => {
    const overloads = 'export function read(): void;\nexport function read(path?: string): void {}';
    expect(check({ 'src/a.ts': overloads, 'src/b.ts': 'function read() {}' }).isOk).toBe(true);
  });
});
