import { expect, test } from '@jest/globals';
import { definitionsProto } from '../../../src/apiserver/discovery/swagger-proto.js';

test('a definition is a field of Document.definitions, each part with its number and length', () => {
  const bytes = definitionsProto({ K: { type: 'string', 'x-a': 1 } });
  // definitions(9) { named(1) { name(1) "K", value(2) { type(22) { "string" }, extension(31) { "x-a", yaml "1" } } } }
  const type = 'b201080a06737472696e67';
  const extension = 'fa010a0a03782d611203120131';
  expect(bytes.toString('hex')).toBe(`4a1f0a1d0a014b1218${type}${extension}`);
});

test('a long text has its length in two bytes', () => {
  const bytes = definitionsProto({ K: { description: 'd'.repeat(200) } });
  expect(bytes.includes(Buffer.from([0x22, 0xc8, 0x01]))).toBe(true);
});
