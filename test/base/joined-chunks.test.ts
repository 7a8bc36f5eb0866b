import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JoinedChunks } from '../../src/base/joined-chunks.js';

test('chunks of any length are joined in order', () => {
  const chunk = fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ minLength: 1000, maxLength: 1100 }));
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 60 }), (pieces) => {
      const joined = new JoinedChunks();
      for (const piece of pieces) joined.push(Buffer.from(piece));
      expect(joined.join().equals(Buffer.concat(pieces))).toBe(true);
      expect(joined.bytes).toBe(Buffer.concat(pieces).length);
    }),
  );
});

test('many chunks of one byte are held in few buffers', () => {
  const joined = new JoinedChunks();
  for (let n = 0; n < 100_000; n++) joined.push(Buffer.of(n % 256));
  expect((joined as unknown as { chunks: Buffer[] }).chunks.length).toBeLessThan(10);
  expect(joined.join()).toHaveLength(100_000);
});

test('cleared chunks are empty', () => {
  const joined = new JoinedChunks();
  joined.push(Buffer.from('a'));
  joined.clear();
  joined.push(Buffer.from('b'));
  expect([joined.join().toString(), joined.bytes]).toEqual(['b', 1]);
});
