import { Field } from '../../../src/resource/decorators/field.js';
import { AtLeastOneOf } from '../../../src/resource/decorators/rules/at-least-one-of.js';
import { ExactlyOneOf } from '../../../src/resource/decorators/rules/exactly-one-of.js';
import { Immutable } from '../../../src/resource/decorators/rules/immutable.js';
import { Union } from '../../../src/resource/decorators/rules/union.js';
import { XValidation } from '../../../src/resource/decorators/rules/x-validation.js';
import { Schema } from '../../../src/resource/decorators/schema.js';
import { kindWithSpec, Sound } from './classes.js';
import { Kind } from '../../../src/resource/decorators/kind.js';

@ExactlyOneOf('disk', 'bukcet')
@AtLeastOneOf('name', 'disk')
@AtLeastOneOf('two words', 'anything')
@Union({ discriminator: 'kind', members: { Disk: 'disk', Bucket: 'bucket' } })
@Schema({ required: ['disk', 'undeclared'], properties: { disk: { type: 'string' } } })
class Rules {
  @Field() name!: string;
  @Field({ optional: true }) disk?: string;
  @Field({ optional: true }) bucket?: string;
  @Field({ optional: true }) 'two words'?: string;
  @Field({ optional: true, preserveUnknownFields: true }) anything?: unknown;
  @Immutable() forgotten = '';
  @XValidation({ rule: 'true' }) alsoForgotten = '';
}

@Union({ discriminator: 'type', members: { Disk: 'disk', Bucket: 'disk', Tape: 'tape' } })
class Enumerated {
  @Field({ enum: ['Disk', 'Bucket', 'None'] }) type!: string;
  @Field({ optional: true }) disk?: string;
  @Field({ optional: true }) tape?: string;
}

@Union({ discriminator: 'type', members: { Disk: 'disk', Bucket: 'bucket' } })
class Open {
  @Field() type!: string;
  @Field({ optional: true }) disk?: string;
}

class Embedded {
  @Field({ format: 'int32' }) kind!: number;
}

class Conditions {
  @Field({ preserveUnknownFields: true, validations: [{ rule: 'true' }] }) unseen: unknown;
  @Field({ embeddedResource: true }) object!: Embedded;
  @Field({ values: String, embeddedResource: true }) map!: Record<string, string>;
  @Field({ anyOf: [{ type: 'string', minLength: 1 }] }) typed!: string;
  @Field({ not: { allOf: [{ default: 'a' }] } }) defaulted!: string;
  @Field({ type: 'object', oneOf: [{ properties: { metadata: { title: 'M' } } }] }) meta!: object;
  @Field({ intOrString: true, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }] }) port!: number | string;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Schema({ minProperties: 1, nullable: true })
class Root extends Sound {
  @Field() status!: Rules;
}

export const classes = [
  kindWithSpec(Rules),
  kindWithSpec(Conditions),
  kindWithSpec(Enumerated),
  kindWithSpec(Open),
  Root,
];
