import { describe, expect, test } from '@jest/globals';
import { applyMergePatch } from '../../../src/apiserver/patch/apply-merge-patch.js';
import type { JsonObject } from '../../../src/base/json-object.js';

describe('mergePatch', () => {
  test.each([
    ['{}', '{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":null,"b":2}}', '{"__proto__":{"b":2}}'],
    ['{}', '{"toString":{"a":1}}', '{"toString":{"a":1}}'],
  ])('mergePatch changes %s by %s to %s', (target, patch, result) => {
    expect(JSON.stringify(applyMergePatch(JSON.parse(target) as JsonObject, JSON.parse(patch) as JsonObject))).toBe(
      result,
    );
  });
});
