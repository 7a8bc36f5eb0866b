import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Sound } from '../../resource/mistakes/classes.js';

class Spec {
  @Field('half a \ud83d character') described!: string;
  @Field({ enum: ['\udc00', 'sound 😀'] }) values!: string;
}

@Kind({ group: 'apps.example.com', version: 'v1', annotations: { 'example.com/half': '\udc00' } })
class Halved extends Sound {
  @Field() spec!: Spec;
}

export const classes = [Halved];
