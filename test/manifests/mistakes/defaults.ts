import { Field } from '../../../src/resource/decorators/field.js';
import { Schema } from '../../../src/resource/decorators/schema.js';
import { kindWithSpec } from '../../resource/mistakes/classes.js';

@Schema({ default: {} })
class Whole {
  @Field() name!: string;
}

class Defaults {
  @Field({ format: 'ipv4', default: '10.0.0' }) format!: string;
  @Field({ default: 'abc', anyOf: [{ pattern: '^x' }, { pattern: '^y' }] }) condition!: string;
  @Field({ default: { name: 'a', extra: true }, embeddedResource: true, preserveUnknownFields: true })
  anonymous!: object;
  @Field({ schema: { type: 'object', properties: { a: { type: 'string' } }, default: { b: 'pruned' } } })
  pruned!: object;
  @Field({ default: 'abc', validations: [{ rule: "self.startsWith('x')" }] }) rule!: string;
  @Field() whole!: Whole;
}

export const classes = [kindWithSpec(Defaults)];
