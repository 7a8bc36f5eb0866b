import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { objectsAsMaps } from '../../../../src/crd/cel/syntax/object-literals.js';

test.each([
  ['Object{spec: Object.spec{replicas: 3}}', '{"spec": {"replicas": 3}}'],
  [
    '[JSONPatch{op: "add", path: "/a", value: Object.a{b: c ? d : e}}]',
    '[{"op": "add", "path": "/a", "value": {"b": c ? d : e}}]',
  ],
  ['Object{?spec: optional.none(), data: {"x": {y: 1}}}', '{?"spec": optional.none(), "data": {"x": {y: 1}}}'],
  ["object.data.a == 'Object{a: 1}'", "object.data.a == 'Object{a: 1}'"],
  ['"/labels/" + jsonpatch.escapeKey("a/b")', '"/labels/" + jsonpatch.escapeKey("a/b")'],
])('the object literal %s is evaluated as a map', (given, expected) => {
  expect(objectsAsMaps(given)).toBe(expected);
});

test('expressions without object literals are not changed', () => {
  const plain = fc.string().filter((text) => !/Object|JSONPatch|jsonpatch/.test(text));
  fc.assert(
    fc.property(plain, (text) => {
      expect(objectsAsMaps(text)).toBe(text);
    }),
  );
});
