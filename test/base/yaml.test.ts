import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OperatorError } from '../../src/base/operator-error.js';
import { PLAIN_SCALARS } from './plain-scalars.js';
import { parseYaml, parseYamlDocuments, stringifyYaml } from '../../src/base/yaml.js';

describe('YAML', () => {
  test.each([
    'no',
    'y',
    'on',
    '~',
    'null',
    '1e3',
    '0123',
    '0o14',
    '0X1F',
    '-0B1',
    '+0O7',
    '0000_80',
    '1_0e3',
    '1_000',
    '12:30:45',
    '.inf',
    '2001-01-01',
    '=',
    '<<',
  ])('the string %s stays a string', (text) => {
    expect(parseYaml(stringifyYaml({ text }), 'test')).toEqual({ text });
  });

  test.each(PLAIN_SCALARS)('the plain scalar %s is read as Kubernetes reads it', (text, value) => {
    expect(parseYaml(`a: ${text}`, 'test')).toEqual({ a: value });
    expect(parseYamlDocuments(`a: ${text}`, 'test', { exactIntegers: true })).toEqual([{ a: value }]);
  });

  test('a key that is a word for true is the word true, and << merges, as Kubernetes has it', () => {
    expect(parseYaml('base: &base { x: 1 }\non: { <<: *base, y: 2 }', 'test')).toEqual({
      base: { x: 1 },
      true: { x: 1, true: 2 },
    });
  });

  test('an integer too long for a double is written as it is, and read so where it is asked for', () => {
    const text = stringifyYaml({ long: 9007199254740993n, short: 2 });
    expect(text).toBe('long: 9007199254740993\nshort: 2\n');
    expect(parseYamlDocuments(text, 'test', { exactIntegers: true })).toEqual([{ long: 9007199254740993n, short: 2 }]);
    expect(parseYamlDocuments(text, 'test')).toEqual([{ long: 9007199254740992, short: 2 }]);
  });

  test('any JSON value comes back as it was', () => {
    const json = fc.jsonValue({ noUnicodeString: false }).filter((value) => !JSON.stringify(value).includes('\\ud'));
    fc.assert(
      fc.property(json, (value) => {
        const plain: unknown = JSON.parse(JSON.stringify({ value }));
        expect(parseYaml(stringifyYaml(plain), 'test')).toEqual(plain);
      }),
    );
  });

  test('empty documents are left out', () => {
    expect(parseYamlDocuments('---\na: 1\n---\n---\nb: 2\n', 'test')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test('a mistake is reported with file and place', () => {
    const parse = () => parseYaml('a: [1\nb: 2', 'config.yaml');
    expect(parse).toThrow(OperatorError);
    expect(parse).toThrow(/^config\.yaml: .*\(.*2:/);
  });
});
