import type { JsonSchema } from '../../../src/api/schema/json-schema.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { kindWithSpec } from '../../resource/mistakes/classes.js';

const unpreserved = { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } as const;
const unique = { type: 'array', items: { type: 'string' }, uniqueItems: true } as JsonSchema;
const referring = { $ref: '#/definitions/other' } as JsonSchema;

/** Only the option `schema` can express these. */
class WordForWord {
  @Field({ schema: unpreserved }) unpreserved!: object;
  @Field({ schema: unique }) unique!: string[];
  @Field({ schema: referring }) referring!: string;
}

class Part {
  @Field({ items: { values: { schema: { type: 'array' } } } }) matrix!: Record<string, unknown>[];
}

/** A schema that is not structural is not validated further. */
class Unstructural {
  @Field({ items: Part }) parts!: Part[];
  @Field({ schema: { type: 'array' } }) itemless!: string[];
  @Field({ schema: {} }) untyped!: string;
  @Field({ schema: { type: 'string', anyOf: [{ type: 'string', default: 'a' }] } }) typed!: string;
  @Field({ schema: { type: 'string', 'x-kubernetes-embedded-resource': true } }) embedded!: string;
  @Field({ schema: { type: 'string', pattern: '(?=a)' } }) pattern!: string;
  @Field({ items: { schema: { type: 'object', properties: { deep: { type: 'array' } } } } }) items!: object[];
}

export const classes = [kindWithSpec(WordForWord), kindWithSpec(Unstructural)];
