import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutMiddle, joinFairly } from '../../src/base/cut-text.js';

test('a cut text keeps its beginning and its end', () => {
  const text = `Job "a" is invalid: ${'x'.repeat(500)}: field is immutable`;
  const cut = cutMiddle(text, 60);
  expect(cut).toHaveLength(60);
  expect(cut).toMatch(/^Job "a" is invalid.* … .*field is immutable$/);
  expect(cutMiddle('short', 5)).toBe('short');
});

test('joined texts all remain visible, and short ones are not cut', () => {
  const joined = joinFairly(
    [`a failed: ${'x'.repeat(5000)}: cause a`, 'b failed: short', `c: ${'y'.repeat(5000)}: cause c`],
    '; ',
    200,
  );
  expect(joined.length).toBeLessThanOrEqual(200);
  expect(joined).toMatch(/^a failed: x+ … x+: cause a; b failed: short; c: y+ … y+: cause c$/);
});

test('cut and joined texts are never too long, and well-formed if they were', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 });
  fc.assert(
    fc.property(texts, fc.nat(50), (parts, length) => {
      expect(joinFairly(parts, '; ', length).length).toBeLessThanOrEqual(length);
      for (const part of parts) expect(cutMiddle(part, length).length).toBeLessThanOrEqual(length);
    }),
  );
});
