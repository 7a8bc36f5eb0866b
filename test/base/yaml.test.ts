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
  ])('the string %s is written as YAML that is read back as a string', (text) => {
    expect(parseYaml(stringifyYaml({ text }), 'test')).toEqual({ text });
  });

  test.each(PLAIN_SCALARS)('the plain scalar %s is read as Kubernetes reads it', (text, value) => {
    expect(parseYaml(`a: ${text}`, 'test')).toEqual({ a: value });
    expect(parseYamlDocuments(`a: ${text}`, 'test', { exactIntegers: true })).toEqual([{ a: value }]);
  });

  test('boolean words are strings as keys of YAML, and << merges, as in Kubernetes', () => {
    expect(parseYaml('base: &base { x: 1 }\non: { <<: *base, y: 2 }', 'test')).toEqual({
      base: { x: 1 },
      true: { x: 1, true: 2 },
    });
  });

  test('an integer of a million digits is a string, as in Kubernetes, and does not block the process', () => {
    const [value] = parseYamlDocuments('7'.repeat(1_000_000), 'test', { exactIntegers: true });
    expect(typeof value).toBe('string');
  });

  test('an integer too long for a double is written exactly, and read exactly on request', () => {
    const text = stringifyYaml({ long: 9007199254740993n, short: 2 });
    expect(text).toBe('long: 9007199254740993\nshort: 2\n');
    expect(parseYamlDocuments(text, 'test', { exactIntegers: true })).toEqual([{ long: 9007199254740993n, short: 2 }]);
    expect(parseYamlDocuments(text, 'test')).toEqual([{ long: 9007199254740992, short: 2 }]);
  });

  test('any JSON value is read back from YAML unchanged', () => {
    const json = fc.jsonValue({ stringUnit: 'binary' }).filter((value) => !JSON.stringify(value).includes('\\ud'));
    fc.assert(
      fc.property(json, (value) => {
        const plain: unknown = JSON.parse(JSON.stringify({ value }));
        expect(parseYaml(stringifyYaml(plain), 'test')).toEqual(plain);
      }),
    );
  });

  test('empty documents of YAML are omitted', () => {
    expect(parseYamlDocuments('---\na: 1\n---\n---\nb: 2\n', 'test')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test('a syntax error of YAML is reported with file and position', () => {
    const parse = () => parseYaml('a: [1\nb: 2', 'config.yaml');
    expect(parse).toThrow(OperatorError);
    expect(parse).toThrow(/^config\.yaml: .*\(.*2:/);
  });
});
