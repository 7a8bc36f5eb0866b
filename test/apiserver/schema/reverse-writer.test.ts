import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ReverseWriter } from '../../../src/apiserver/schema/reverse-writer.js';
import { text } from '../../../src/apiserver/schema/protobuf-wire.js';

test('texts written from the last to the first are decoded in their order, however long they are', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 40 });
  const texts = fc.array(
    fc.tuple(anyText, fc.integer({ min: 1, max: 5_000 })).map(([each, times]) => each.repeat(times)),
  );
  fc.assert(
    fc.property(texts, (values) => {
      const writer = new ReverseWriter();
      for (const value of values.toReversed()) {
        const end = writer.length;
        writer.text(value);
        writer.varint(writer.length - end);
        writer.varint((1 << 3) | 2);
      }
      expect(writer.result().equals(Buffer.concat(values.map((value) => text(1, value))))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test.each([0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 268_435_455, 268_435_456, 2 ** 31 - 1])(
  'the varint of %d has no more bytes than it needs',
  (value) => {
    const writer = new ReverseWriter();
    writer.varint(value);
    const bytes = [...writer.result()];
    expect(bytes.reduce((sum, byte, index) => sum + (byte & 0x7f) * 2 ** (7 * index), 0)).toBe(value);
    expect(bytes.map((byte) => byte > 0x7f)).toEqual(bytes.map((_, index) => index < bytes.length - 1));
    expect(bytes.at(-1) === 0 && bytes.length > 1).toBe(false);
  },
);
