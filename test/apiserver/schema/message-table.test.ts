import { expect, test } from '@jest/globals';
import { MessageTable } from '../../../src/apiserver/schema/message-table.js';

const hex = (bytes: Buffer): string => bytes.toString('hex');

test('fields are encoded in the order of the table, with their numbers and types', () => {
  const table = new MessageTable({
    Outer: 'name=1 count=2:int share=3:double isSet=4:bool inner=5:Inner names=16:string[]',
    Inner: 'x=1',
  });
  const value = { names: ['a', ''], inner: { x: 'b' }, isSet: true, share: 0.5, count: 300, name: 'n', other: 'no' };
  expect(hex(table.encode('Outer', value))).toBe('0a016e10ac0219000000000000e03f20012a030a0162820101618201' + '00');
});

test('zero and empty values are omitted, unless they are members of a oneof', () => {
  const table = new MessageTable({ M: 'text=1 count=2:int isSet=3:bool missing=4', One: 'text=1:string! is=2:bool!' });
  expect(hex(table.encode('M', { text: '', count: 0, isSet: false, missing: null }))).toBe('');
  expect(hex(table.encode('One', { text: '', is: false }))).toBe('0a001000');
});

test('a value with another form in JSON is converted before it is encoded', () => {
  const table = new MessageTable(
    { Outer: 'any=1:Any', Any: 'yaml=2' },
    { Any: (value: unknown) => ({ yaml: `${String(value)}\n` }) },
  );
  expect(hex(table.encode('Outer', { any: 0 }))).toBe('0a041202300a');
});
