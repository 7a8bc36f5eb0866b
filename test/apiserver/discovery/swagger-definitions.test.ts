import { describe, expect, test } from '@jest/globals';
import { swaggerDefinitions } from '../../../src/apiserver/discovery/swagger-definitions.js';

const convert = (schema: object) => swaggerDefinitions({ Kind: schema }).Kind;

describe('the definitions of OpenAPI v2', () => {
  test('point to one another by the names of version 2', () => {
    expect(convert({ description: 'd', allOf: [{ $ref: '#/components/schemas/Meta' }] })).toEqual({
      description: 'd',
      $ref: '#/definitions/Meta',
    });
  });

  test('leave out what version 2 cannot say', () => {
    expect(convert({ type: 'object', oneOf: [{}], 'x-kubernetes-validations': [] })).toEqual({ type: 'object' });
  });

  test.each(['nullable', 'x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'])(
    'have no type where %s lets more than one pass',
    (key) => {
      const field = { type: 'object', properties: { a: { type: 'string' } }, [key]: true };
      expect(convert({ type: 'object', properties: { field } })).not.toHaveProperty('properties.field.type');
    },
  );

  test('say nothing of a kind that takes any fields', () => {
    const gvk = { 'x-kubernetes-group-version-kind': [{ group: 'g', version: 'v1', kind: 'Kind' }] };
    const open = { type: 'object', properties: { a: {} }, 'x-kubernetes-preserve-unknown-fields': true, ...gvk };
    expect(convert(open)).toEqual({ type: 'object', ...gvk });
  });

  test('do not require what may be null', () => {
    const properties = { a: { type: 'string', nullable: true }, b: { type: 'string' } };
    expect(convert({ type: 'object', required: ['a', 'b'], properties })).toMatchObject({ required: ['b'] });
    expect(convert({ type: 'object', required: ['a'], properties })).not.toHaveProperty('required');
  });

  test('convert properties and items as well', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string', nullable: true } } } };
    expect(convert(schema)).toEqual({ type: 'object', properties: { a: { type: 'array', items: {} } } });
  });
});
