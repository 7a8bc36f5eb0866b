import { describe, expect, test } from '@jest/globals';
import { prune } from '../../../src/crd/schema/prune.js';
import type { StructuralSchema } from '../../../src/crd/schema/structural-schema.js';

describe('prune', () => {
  test('prune keeps a __proto__ that the schema allows as data', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":"x"}}');
    const members: (StructuralSchema | true)[] = [true, { type: 'object', properties: { a: { type: 'string' } } }];
    const kept = members.map((additionalProperties) =>
      JSON.stringify(prune({ type: 'object', additionalProperties }, value, { unknown: () => undefined })),
    );
    expect(kept).toEqual(['{"__proto__":{"a":"x"}}', '{"__proto__":{"a":"x"}}']);
  });
});
