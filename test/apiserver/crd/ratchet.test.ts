import { expect, test } from '@jest/globals';
import type { FieldError } from '../../../src/api/protocol/field-error.js';
import type { StructuralSchema } from '../../../src/crd/schema/structural-schema.js';
import { ratchet } from '../../../src/apiserver/crd/ratchet.js';

const schema: StructuralSchema = {
  properties: {
    list: { items: { properties: { a: {} } } },
    map: { items: { properties: { a: {} } }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'] },
  },
};
const error = (field: string): FieldError => ({ type: 'FieldValueInvalid', field, body: 'wrong' });

test.each([
  ['an unchanged value', 'a.b', { a: { b: 1 }, c: 2 }, { a: { b: 1 }, c: 3 }, true],
  ['a changed value', 'a.b', { a: { b: 2 } }, { a: { b: 1 } }, false],
  ['a field that is still missing from a changed object', 'a.b', { a: { c: 2 } }, { a: { c: 1 } }, false],
  ['an item of an unchanged list', 'list[0].a', { list: [{ a: 1 }], c: 2 }, { list: [{ a: 1 }], c: 3 }, true],
  ['an item of a list with another changed item', 'list[0].a', { list: [{ a: 1 }, {}] }, { list: [{ a: 1 }] }, false],
  [
    'an item that is identified by its key',
    'map[1].a',
    { map: [{ key: 'y' }, { key: 'x', a: 1 }] },
    { map: [{ key: 'x', a: 1 }] },
    true,
  ],
  ['a member with a dot', 'm[x.y]', { m: { 'x.y': 1, z: 2 } }, { m: { 'x.y': 1 } }, true],
])('an error in %s is ignored only if the value did not change', (_what, field, next, old, isDropped) => {
  expect(ratchet([error(field)], schema, next, old)).toHaveLength(isDropped ? 0 : 1);
});
