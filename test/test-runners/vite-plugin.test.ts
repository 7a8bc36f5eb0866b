import { describe, expect, test } from '@jest/globals';
import { kindwright } from '../../src/test-runners/vite-plugin.js';

const SOURCE = '/** A spec. */\nclass Spec { @Field() size?: number }';

describe('the plugin for Vite', () => {
  test.each(['/p/a.ts', '/p/a.mts', '/p/a.ts?v=0123abcd', '/p/a.ts?t=17000'])(
    'the plugin for Vite compiles %s with metadata, declared types and doc comments',
    (id) => {
      const { code = '', map = '' } = kindwright().transform(SOURCE, id) ?? {};
      expect(code).toContain('"design:type", Number');
      expect(code).toContain('"declared":{"size":{"isOptional":true}}');
      expect(code).toContain('"description":"A spec."');
      expect(JSON.parse(map)).toMatchObject({ sources: [id.replace(/\?.*/, '')] });
    },
  );

  test.each(['/p/a.js', '/p/a.tsx', '/p/a.ts?raw', '/p/a.ts?url', '\0virtual.ts', '/p/node_modules/x/a.ts'])(
    'the plugin for Vite does not transform %p',
    (id) => {
      expect(kindwright().transform(SOURCE, id)).toBeUndefined();
    },
  );
});
