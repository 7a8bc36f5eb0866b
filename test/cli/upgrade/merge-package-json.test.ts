import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergePackageJson } from '../../../src/cli/upgrade/merge-package-json.js';

const json = (value: object, indent: number | string = 2): string => `${JSON.stringify(value, undefined, indent)}\n`;
const merge = (base: object, ours: object, theirs: object) => {
  const { text, notes } = mergePackageJson(json(base), json(ours), json(theirs));
  return { merged: JSON.parse(text) as object, notes };
};

describe('mergePackageJson', () => {
  test('mergePackageJson keeps scripts of the user and adds those of the scaffold', () => {
    const base = { scripts: { start: 'demo', test: 'vitest run', check: 'tsc' } };
    const ours = { scripts: { start: 'demo', test: 'jest', check: 'tsc', lint: 'eslint' } };
    const theirs = { scripts: { start: 'serve', test: 'vitest run --coverage', check: 'tsc', generate: 'g' } };
    expect(merge(base, ours, theirs)).toEqual({
      merged: { scripts: { start: 'serve', test: 'jest', check: 'tsc', lint: 'eslint', generate: 'g' } },
      notes: ['scripts.test stays "jest"; the new scaffold has "vitest run --coverage"'],
    });
  });

  test.each([
    ['^4.2.0', '^4.1.0', '^4.2.0', 'stays "^4.2.0"; the new scaffold has "^4.1.0"'],
    ['^4.1.0', '^5.0.0', '^5.0.0', 'changes from "^4.1.0" to "^5.0.0", which is newer'],
    ['file:../vitest', '^5.0.0', 'file:../vitest', 'stays "file:../vitest"; the new scaffold has "^5.0.0"'],
  ])('mergePackageJson takes the newer of the dependency versions %s and %s', (ours, theirs, expected, note) => {
    const versions = (vitest: string) => ({ devDependencies: { vitest } });
    expect(merge(versions('^4.0.0'), versions(ours), versions(theirs))).toEqual({
      merged: versions(expected),
      notes: [`devDependencies.vitest ${note}`],
    });
  });

  test('mergePackageJson leaves what the user removed, and removes what only the scaffold removed', () => {
    const base = { devDependencies: { a: '^1.0.0', b: '^1.0.0', c: '^1.0.0' } };
    const ours = { devDependencies: { b: '^1.0.0', c: '^1.1.0' } };
    expect(merge(base, ours, { devDependencies: { a: '^2.0.0' } })).toEqual({
      merged: { devDependencies: { c: '^1.1.0' } },
      notes: [
        'devDependencies.c stays "^1.1.0"; the new scaffold removes it',
        'devDependencies.a stays removed; the new scaffold has "^2.0.0"',
      ],
    });
  });

  test('mergePackageJson sorts a new dependency in where the dependencies are sorted', () => {
    const { text } = mergePackageJson(
      json({ dependencies: { b: '1' } }),
      json({ dependencies: { a: '1', b: '1', z: '1' } }),
      json({ dependencies: { b: '1', c: '1' } }),
    );
    expect(text).toBe(json({ dependencies: { a: '1', b: '1', c: '1', z: '1' } }));
  });

  test('mergePackageJson keeps indentation, line endings and an end without newline', () => {
    const [base, theirs] = [json({ a: 1, b: 1 }), json({ a: 2, b: 1, c: 1 })];
    const ours = json({ b: 2, a: 1 }, '\t').replaceAll('\n', '\r\n').trimEnd();
    const { text } = mergePackageJson(base, ours, theirs);
    expect(text).toBe('{\r\n\t"b": 2,\r\n\t"a": 2,\r\n\t"c": 1\r\n}');
  });

  test('mergePackageJson keeps formatting of the user where lines can be merged', () => {
    const base = '{\n  "name": "a",\n  "type": "module",\n  "engines": {}\n}\n';
    const ours = '{\n  "name": "mine", "files": ["a", "b"],\n  "type": "module",\n  "engines": {}\n}\n';
    const theirs = base.replace('{}', '{ "node": "24" }');
    expect(mergePackageJson(base, ours, theirs)).toEqual({ text: ours.replace('{}', '{ "node": "24" }'), notes: [] });
  });

  test('mergePackageJson rejects a package.json of the user that is invalid', () => {
    expect(() => mergePackageJson('{}', '{ "a": 1, }', '{ "b": 1 }')).toThrow(/^package\.json is not valid JSON: /);
    expect(() => mergePackageJson('{}', '[]', '{}')).toThrow('package.json is not valid JSON: not an object');
  });

  test('mergePackageJson of any objects keeps the edits of the one side that changed a member', () => {
    const value = fc.oneof(fc.constantFrom('^1.0.0', '^2.0.0', 'x'), fc.constant(undefined));
    const names = ['dependencies', 'scripts', '__proto__', 'name'];
    const object = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom('a', 'b', 'c'), value), {
      maxLength: 9,
    });
    const textOf = (entries: readonly (readonly [string, string, unknown])[]) => {
      const groups = names.map((name) => {
        const members = entries.filter(([group, , member]) => group === name && member !== undefined);
        return `${JSON.stringify(name)}: ${JSON.stringify(Object.fromEntries(members.map(([, key, member]) => [key, member])))}`;
      });
      return `{ ${groups.join(', ')} }`;
    };
    const members = (text: string) =>
      Object.entries(JSON.parse(text) as object).flatMap(([group, map]) =>
        ['a', 'b', 'c'].map((key): [string, unknown] => [`${group}.${key}`, (map as Record<string, unknown>)[key]]),
      );
    fc.assert(
      fc.property(object, object, object, (one, two, three) => {
        const [base, ours, theirs] = [textOf(one), textOf(two), textOf(three)];
        const merged = mergePackageJson(base, ours, theirs).text;
        const at = (text: string, name: string) => new Map(members(text)).get(name);
        for (const [name, result] of members(merged)) {
          const [before, mine, other] = [at(base, name), at(ours, name), at(theirs, name)];
          const allowed = other === before ? [mine] : mine === before ? [other] : [mine, other];
          expect(allowed).toContain(result);
        }
        expect(mergePackageJson(theirs, merged, theirs)).toEqual({ text: merged, notes: [] });
      }),
    );
  });
});
