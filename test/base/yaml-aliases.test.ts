import { describe, expect, test } from '@jest/globals';
import { parseYaml, parseYamlDocuments } from '../../src/base/yaml.js';

/** Lists of ten aliases of the list before. */
const bomb = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => {
    const item = level === 0 ? 'x' : `*l${level - 1}`;
    return `l${level}: &l${level} [${Array(10).fill(item).join(', ')}]\n`;
  }).join('');

describe('aliases of YAML', () => {
  test('YAML aliases are expanded', () => {
    expect(parseYaml('a: &a [1, &b 2]\nc: {d: *a, e: *b}\nf: [*a]\n', 'file')).toEqual({
      a: [1, 2],
      c: { d: [1, 2], e: 2 },
      f: [[1, 2]],
    });
  });

  test('YAML aliases may expand to a thousand nodes', () => {
    expect(JSON.stringify(parseYaml(bomb(3), 'file')).match(/x/g)).toHaveLength(1110);
  });

  test.each([4, 5, 8, 30])('YAML aliases are rejected if %i levels of ten expand to too many nodes', (levels) => {
    expect(() => parseYaml(bomb(levels), 'file')).toThrow('document contains excessive aliasing');
  });

  test('YAML aliases of any document of a text are rejected if they expand to too many nodes', () => {
    expect(() => parseYamlDocuments(`a: 1\n---\n${bomb(9)}`, 'file')).toThrow('document contains excessive aliasing');
  });

  test('the limit of YAML aliases holds for each document of a text', () => {
    expect(parseYamlDocuments(Array(10).fill(bomb(3)).join('---\n'), 'file')).toHaveLength(10);
  });

  test('YAML aliases are accepted if they are a small part of a large document', () => {
    const text = `a: &a {b: [1, 2, 3]}\nc: [${Array(5000).fill('d').join(', ')}]\ne: [${Array(200).fill('*a').join(', ')}]\n`;
    expect(parseYaml(text, 'file')).toMatchObject({ a: { b: [1, 2, 3] } });
  });

  test.each(['a: &a [*a]', 'a: &a {b: {c: *a}}', 'a: &a [&b [*a], *b]'])(
    'YAML aliases that contain themselves are rejected: %s',
    (text) => {
      expect(() => parseYaml(text, 'file')).toThrow(/anchor 'a' value contains itself/);
    },
  );

  test('a YAML alias refers to the last anchor of a name', () => {
    expect(parseYaml('a: &x 1\nb: &y [&x 2]\nc: &x 3\nd: *y\ne: *x\n', 'file')).toMatchObject({ d: [2], e: 3 });
  });

  test('a YAML alias must have an anchor', () => {
    expect(() => parseYaml('a: &b 1\nc: *d\n', 'file')).toThrow('unidentified alias "d"');
  });
});

describe('the depth of YAML', () => {
  test('YAML may be nested 1,000 levels deep', () => {
    expect(JSON.stringify(parseYaml(`${'['.repeat(1000)}${']'.repeat(1000)}`, 'file'))).toHaveLength(2000);
  });

  test('YAML that is nested too deeply is a syntax error', () => {
    const text = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const parse of [parseYaml, parseYamlDocuments])
      expect(() => parse(text, 'file')).toThrow(/file: (nesting exceeded maxDepth|exceeded max depth)/);
  });
});
