import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LineDecoder } from '../../src/client/line-decoder.js';

function decode(chunks: readonly (Buffer | string)[], maxLineBytes?: number): string[] {
  const lines: string[] = [];
  const decoder = new LineDecoder((line) => lines.push(line), maxLineBytes);
  for (const chunk of chunks) decoder.push(Buffer.from(chunk));
  return lines;
}

describe('LineDecoder', () => {
  test('lines come out whole, however their bytes were cut', () => {
    const line = fc.string({ unit: 'binary', minLength: 2 }).map((text) => text.replace(/[\n\r]/g, '·'));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(400)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(decode(chunks)).toEqual(lines.map((text) => Buffer.from(text).toString()));
      }),
    );
  });

  test('a character cut in the middle of its bytes survives', () => {
    const bytes = Buffer.from('{"a":"🚀é"}\n');
    expect(decode([...bytes].map((byte) => Buffer.of(byte)))).toEqual(['{"a":"🚀é"}']);
  });

  test('blank lines are left out, with and without a carriage return', () => {
    expect(decode(['\n\r\n{}\n', '\r', '\n', '\n[]\n'])).toEqual(['{}', '[]']);
  });

  test('a line that has no end yet is kept back', () => {
    expect(decode(['{"a":1}\n{"b"'])).toEqual(['{"a":1}']);
  });

  test('a line beyond the limit is an error that names the limit', () => {
    expect(() => decode(['12345', '678901'], 10)).toThrow('a line of more than 10 bytes');
  });

  test('a line at the limit passes', () => {
    expect(decode(['12345', '67890', '\n'], 10)).toEqual(['1234567890']);
  });
});
