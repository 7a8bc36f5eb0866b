import { describe, expect, test } from '@jest/globals';
import { getCacheKey, process } from '../../src/test-runners/jest-transformer.js';

const SOURCE = '/** A spec. */\nclass Spec { @Field() size?: number }';
const options = { supportsStaticESM: true, instrument: false, configString: '{}' };

describe('the transformer for jest', () => {
  test('the transformer for jest compiles with metadata, declared types and doc comments', () => {
    const { code, map } = process(SOURCE, '/p/a.ts', options);
    expect(code).toContain('"design:type", Number');
    expect(code).toContain('"declared":{"size":{"isOptional":true}}');
    expect(code).toContain('"description":"A spec."');
    expect(JSON.parse(map)).toMatchObject({ sources: ['/p/a.ts'] });
  });

  test('the transformer for jest rejects CommonJS, with the command to run', () => {
    expect(() => process(SOURCE, '/p/a.ts', { ...options, supportsStaticESM: false })).toThrow(
      '/p/a.ts: jest loads this module as CommonJS, but kindwright is an ES module\n  hint: NODE_OPTIONS=--exp',
    );
  });

  test('the transformer for jest compiles the CEL library where jest loads it as CommonJS', () => {
    const library = "import a from './a.js';\nexport const b = a;\n";
    const path = '/p/node_modules/@marcbachmann/cel-js/lib/index.js';
    expect(process(library, path, options).code).toBe(library);
    const { code } = process(library, path, { ...options, supportsStaticESM: false });
    expect(code).toContain('require("./a.js")');
    expect(code).not.toContain('import ');
  });

  test('the cache key of the transformer for jest contains everything that determines the output', () => {
    const keys = [
      getCacheKey(SOURCE, '/p/a.ts', options),
      getCacheKey(`${SOURCE}\n`, '/p/a.ts', options),
      getCacheKey(SOURCE, '/p/b.ts', options),
      getCacheKey(SOURCE, '/p/a.ts', { ...options, instrument: true }),
      getCacheKey(SOURCE, '/p/a.ts', { ...options, configString: '{"a":1}' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(getCacheKey(SOURCE, '/p/a.ts', { ...options })).toBe(keys[0]);
  });
});
