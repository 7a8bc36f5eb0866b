import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Sound } from '../../resource/mistakes/classes.js';

class Spec {
  @Field('word '.repeat(320_000)) described!: string;
  @Field() sound!: string;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Described extends Sound {
  @Field() spec!: Spec;
}

@Kind({ group: 'apps.example.com', version: 'v1', annotations: { 'example.com/note': 'x'.repeat(256 * 1024) } })
class Annotated extends Sound {}

export const classes = [Described, Annotated];
