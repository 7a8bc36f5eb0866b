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
      expect(convert({ type: 'object', properties: { a: { type: 'string' } }, [key]: true })).not.toHaveProperty(
        'type',
      );
    },
  );

  test('convert properties and items as well', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string', nullable: true } } } };
    expect(convert(schema)).toEqual({ type: 'object', properties: { a: { type: 'array', items: {} } } });
  });
});
