import { describe, expect, test } from '@jest/globals';
import { publishedSchema } from '../../../src/apiserver/crd/published-schema.js';

const v2 = (schema: object) => publishedSchema(schema as Record<string, unknown>, 'v2');
const v3 = (schema: object) => publishedSchema(schema as Record<string, unknown>, 'v3');
const intOrString = { 'x-kubernetes-int-or-string': true };
const either = [{ type: 'integer' }, { type: 'string' }];

describe('a schema in OpenAPI v2', () => {
  test('a schema in OpenAPI v2 has no alternatives and no default, but its rules', () => {
    const rules = { 'x-kubernetes-validations': [{ rule: 'true' }] };
    expect(v2({ type: 'object', oneOf: [{}], anyOf: [{}], not: {}, default: {}, ...rules })).toEqual({
      type: 'object',
      ...rules,
    });
  });

  test.each(['nullable', 'x-kubernetes-preserve-unknown-fields'])(
    'a schema in OpenAPI v2 has no type and no properties with %s',
    (key) => {
      const field = { type: 'object', properties: { a: { type: 'string' } }, [key]: true };
      const { properties } = v2({ type: 'object', properties: { field } }) as { properties: { field: object } };
      expect(properties.field).not.toHaveProperty('type');
      expect(properties.field).not.toHaveProperty('properties');
    },
  );

  test('a schema in OpenAPI v2 does not require nullable fields', () => {
    const properties = { a: { type: 'string', nullable: true }, b: { type: 'string' } };
    expect(v2({ type: 'object', required: ['a', 'b'], properties })).toMatchObject({ required: ['b'] });
    expect(v2({ type: 'object', required: ['a'], properties })).not.toHaveProperty('required');
  });

  test('properties, items and values of maps are converted to OpenAPI v2 too', () => {
    const text = { type: 'string', nullable: true };
    const list = { type: 'array', items: text };
    const map = { type: 'object', additionalProperties: text };
    expect(v2({ type: 'object', properties: { list, map } })).toEqual({
      type: 'object',
      properties: { list: { type: 'array', items: {} }, map: { type: 'object', additionalProperties: {} } },
    });
  });

  test('a schema in OpenAPI v2 has no metadata of an embedded resource with unknown fields', () => {
    const open = { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };
    expect(v2({ type: 'object', ...open })).toEqual(open);
  });
});

describe('a schema in OpenAPI v3', () => {
  test('a schema in OpenAPI v3 has the alternatives of an int-or-string value', () => {
    expect(v3(intOrString)).toEqual({ ...intOrString, anyOf: either });
    expect(v3({ ...intOrString, anyOf: [{ minimum: 1 }] })).toEqual({
      ...intOrString,
      anyOf: [{ minimum: 1 }],
      allOf: [{ anyOf: either }],
    });
  });

  test.each([{ anyOf: either }, { allOf: [{ anyOf: either }, { pattern: '^a' }] }])(
    'a schema in OpenAPI v3 does not repeat the alternatives of %j',
    (alternatives) => {
      const schema = { ...intOrString, ...alternatives };
      expect(v3(schema)).toEqual(schema);
    },
  );

  test('a schema in OpenAPI v3 has the type and the metadata of an embedded resource', () => {
    const embedded = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      required: ['kind', 'spec'],
      properties: { kind: { type: 'string', enum: ['A'] }, spec: { type: 'object' } },
    };
    const { properties } = v3({ type: 'object', properties: { embedded } }) as { properties: { embedded: object } };
    expect(properties.embedded).toMatchObject({
      required: ['kind', 'spec', 'apiVersion'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
        spec: { type: 'object' },
      },
    });
    expect(properties.embedded).not.toHaveProperty('properties.kind.enum');
  });
});
