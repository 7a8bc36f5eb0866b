import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '../../src/api/schema/json-schema.js';
import { openApiSchema } from '../../src/manifests/crd/schema.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { AtLeastOneOf } from '../../src/resource/decorators/rules/at-least-one-of.js';
import { AtMostOneOf } from '../../src/resource/decorators/rules/at-most-one-of.js';
import { ExactlyOneOf } from '../../src/resource/decorators/rules/exactly-one-of.js';
import { Immutable } from '../../src/resource/decorators/rules/immutable.js';
import { Union } from '../../src/resource/decorators/rules/union.js';
import { XValidation } from '../../src/resource/decorators/rules/x-validation.js';
import { Schema } from '../../src/resource/decorators/schema.js';
import type { FieldClass, FieldOptions } from '../../src/resource/decorators/field-options.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { field, kindWithSpec, Sound } from '../resource/mistakes/classes.js';

const string = { type: 'string' } as const;

function specSchema(spec: FieldClass): JsonSchema {
  return openApiSchema(buildResourceModels([kindWithSpec(spec)])[0]!).properties!['spec']!;
}

/** The schema of a field with these options, as plain JavaScript declares it. */
function schemaOf(options: FieldOptions): JsonSchema {
  class Spec {}
  field(Spec, 'value', options);
  return specSchema(Spec).properties!['value']!;
}

class Part {
  @Field({ optional: true }) name?: string;
}

describe('an option of a value', () => {
  const rule = {
    rule: 'self > 0',
    message: 'm',
    messageExpression: "'m'",
    reason: 'FieldValueInvalid',
    fieldPath: '.a',
  };

  test.each<[string, FieldOptions, JsonSchema]>([
    [
      'externalDocs',
      { type: String, externalDocs: { url: 'https://example.com', description: 'more' } },
      { ...string, externalDocs: { url: 'https://example.com', description: 'more' } },
    ],
    [
      'validations',
      { type: 'integer', validations: [{ ...rule, optionalOldSelf: true }] },
      { type: 'integer', 'x-kubernetes-validations': [{ ...rule, optionalOldSelf: true }] },
    ],
    [
      'embeddedResource',
      { embeddedResource: true },
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'embeddedResource of a class',
      { type: () => Part, embeddedResource: true },
      { type: 'object', properties: { name: string }, 'x-kubernetes-embedded-resource': true },
    ],
    [
      'conditions',
      {
        type: String,
        allOf: [{ minLength: 1 }],
        anyOf: [{ pattern: 'a' }],
        oneOf: [{ enum: ['a'] }],
        not: { maxLength: 0 },
      },
      {
        ...string,
        allOf: [{ minLength: 1 }],
        anyOf: [{ pattern: 'a' }],
        oneOf: [{ enum: ['a'] }],
        not: { maxLength: 0 },
      },
    ],
    ['duration', { type: 'duration' }, string],
    ['a Date', { type: Date }, { ...string, format: 'date-time' }],
    ['dates', { items: Date }, { type: 'array', items: { ...string, format: 'date-time' } }],
    ['a format that nobody knows', { type: String, format: 'license-plate' }, { ...string, format: 'license-plate' }],
    ['a map of anything', { values: true }, { type: 'object', additionalProperties: true }],
    [
      'a whole schema',
      { schema: { type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } } },
      { type: 'object', additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true } },
    ],
    [
      'rules of an integer or string',
      { intOrString: true, pattern: /^[0-9]+%$/, maximum: 10 },
      {
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        'x-kubernetes-int-or-string': true,
        pattern: '^[0-9]+%$',
        maximum: 10,
      },
    ],
    [
      'maps of lists of maps of constrained strings, nested to depth 5',
      {
        values: {
          items: { values: { items: { values: { type: String, maxLength: 3 }, maxProperties: 2 } } },
          minItems: 1,
        },
      },
      {
        type: 'object',
        additionalProperties: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            additionalProperties: {
              type: 'array',
              items: { type: 'object', maxProperties: 2, additionalProperties: { ...string, maxLength: 3 } },
            },
          },
        },
      },
    ],
  ])('an option of a value changes its schema: %s', (_title, options, schema) => {
    expect(schemaOf(options)).toEqual(schema);
  });

  test('the format quantity accepts the quantities of Kubernetes', () => {
    const { pattern, ...rest } = schemaOf({ type: 'quantity' });
    expect(rest).toEqual({ anyOf: [{ type: 'integer' }, string], 'x-kubernetes-int-or-string': true });
    const matches = (text: string): boolean => new RegExp(pattern!).test(text);
    expect(['500Mi', '1.5', '-2e3', '.5Gi', '+100m'].filter(matches)).toHaveLength(5);
    expect(['', 'Mi', '1 Gi', '1kB', 'a1'].filter(matches)).toEqual([]);
  });
});

describe('a decorator of a class', () => {
  @ExactlyOneOf('disk', 'bucket')
  @AtMostOneOf('bucket', 'a-b')
  @AtLeastOneOf('disk', 'in')
  @XValidation({ rule: 'self.size > 0' })
  class Storage {
    @Field({ optional: true }) disk?: string;
    @Field({ optional: true }) bucket?: string;
    @Field({ optional: true }) 'a-b'?: string;
    @Field({ optional: true }) in?: string;
    @Field({ format: 'int32' }) @XValidation({ rule: 'self < 9' }) @Immutable() size!: number;
  }

  test('@OneOf counts fields in CEL, escaping reserved words of CEL, in the order of the source', () => {
    expect(specSchema(Storage)['x-kubernetes-validations']).toEqual([
      {
        rule: '(has(self.disk)?1:0)+(has(self.bucket)?1:0) == 1',
        message: 'exactly one of the fields in [disk bucket] must be set',
      },
      {
        rule: '(has(self.bucket)?1:0)+(has(self.a__dash__b)?1:0) <= 1',
        message: 'at most one of the fields in [bucket a-b] may be set',
      },
      {
        rule: 'has(self.disk)||has(self.__in__)',
        message: 'at least one of the fields in [disk in] must be set',
      },
      { rule: 'self.size > 0' },
    ]);
  });

  test('@XValidation and @Immutable before a property are rules of its value', () => {
    expect(specSchema(Storage).properties!['size']).toEqual({
      type: 'integer',
      format: 'int32',
      'x-kubernetes-validations': [{ rule: 'self < 9' }, { rule: 'self == oldSelf', message: 'field is immutable' }],
    });
  });

  test('@Union requires a member exactly when the discriminator names it', () => {
    @Union({ discriminator: 'type', members: { Disk: 'disk', "Bob's": 'bucket' } })
    class Spec {
      @Field({ enum: ['Disk', "Bob's", 'None'] }) type!: string;
      @Field({ optional: true }) disk?: string;
      @Field({ optional: true }) bucket?: string;
    }
    expect(specSchema(Spec)['x-kubernetes-validations']).toEqual([
      {
        rule: "has(self.type) && self.type == 'Disk' ? has(self.disk) : !has(self.disk)",
        message: 'disk is required when type is Disk, and forbidden otherwise',
      },
      {
        rule: String.raw`has(self.type) && self.type == 'Bob\'s' ? has(self.bucket) : !has(self.bucket)`,
        message: "bucket is required when type is Bob's, and forbidden otherwise",
      },
    ]);
  });

  test('@Schema applies wherever the class is used, and a field may override it', () => {
    @Schema({
      title: 'An item',
      minProperties: 1,
      nullable: true,
      preserveUnknownFields: true,
      mapType: 'atomic',
      required: ['z', 'a'],
    })
    @XValidation({ rule: 'self.a > 0' })
    class Item {
      @Field({ format: 'int32' }) a!: number;
    }
    class Spec {
      @Field({ items: { type: Item, title: 'The item', validations: [{ rule: 'self.a < 9' }] } }) items!: Item[];
    }
    expect(specSchema(Spec).properties!['items']!.items).toEqual({
      type: 'object',
      properties: { a: { type: 'integer', format: 'int32' } },
      required: ['z', 'a'],
      title: 'The item',
      minProperties: 1,
      nullable: true,
      'x-kubernetes-map-type': 'atomic',
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-validations': [{ rule: 'self.a > 0' }, { rule: 'self.a < 9' }],
    });
  });

  test('@Schema before the class of a kind applies to the whole object', () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    @Schema({ title: 'A root', externalDocs: { url: 'https://example.com' } })
    @XValidation({ rule: "self.metadata.name != 'x'" })
    class Root extends Sound {}
    expect(openApiSchema(buildResourceModels([Root])[0]!)).toMatchObject({
      title: 'A root',
      externalDocs: { url: 'https://example.com' },
      'x-kubernetes-validations': [{ rule: "self.metadata.name != 'x'" }],
    });
  });
});

describe('the fields of every object', () => {
  class Meta {
    @Field({ maxLength: 40 }) name!: string;
  }

  test('the fields of every object can have descriptions of the kind, and metadata can limit names', () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Described extends Sound {
      @Field('The version') override apiVersion!: string;
      @Field({ type: Meta }) override metadata!: Sound['metadata'];
    }
    const { properties, required } = openApiSchema(buildResourceModels([Described])[0]!);
    expect(properties!['apiVersion']).toEqual({ description: 'The version', type: 'string' });
    expect(properties!['metadata']).toEqual({
      type: 'object',
      properties: { name: { type: 'string', maxLength: 40 } },
    });
    expect(required).toBeUndefined();
  });

  test('descriptions of the fields of every object can be omitted', () => {
    @Kind({ group: 'apps.example.com', version: 'v1', commonFields: false })
    class Bare extends Sound {
      @Field({ type: String }) spec!: string;
    }
    expect(Object.keys(openApiSchema(buildResourceModels([Bare])[0]!).properties!)).toEqual(['spec']);
  });
});

describe('a class that contains itself', () => {
  class Node {
    @Field({ format: 'int32' }) value!: number;
  }
  field(Node, 'children', { items: { type: () => Node, preserveUnknownFields: true }, optional: true });
  class Other {
    @Field() node!: Node;
  }
  const leaf = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const node = {
    type: 'object',
    properties: { value: { type: 'integer', format: 'int32' }, children: { type: 'array', items: leaf } },
    required: ['value'],
  };

  test('a class that contains itself ends where unknown fields are preserved, the same wherever it is used', () => {
    expect(specSchema(Node)).toEqual(node);
    expect(specSchema(Other).properties!['node']).toEqual(node);
  });
});
