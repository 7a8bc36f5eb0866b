import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { field, kindWithSpec, Sound } from './classes.js';

class Tree {
  @Field({ items: () => Branch }) branches!: Branch[];
}

class Branch {
  @Field({ values: () => Tree }) trees!: Record<string, Tree>;
}

class Names {
  'two\tcolumns' = '';
  'a.b' = '';
}
field(Names, 'two\tcolumns', { type: String });
field(Names, 'a.b', { type: String });
field(Names, '__proto__', { type: String });
field(Names, 'constructor', { type: String });

class Meta {
  @Field({ maxLength: 40 }) name!: string;
  @Field({ values: String }) labels!: Record<string, string>;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Shadow extends Sound {
  @Field('Says what everyone knows', { type: () => Meta }) override metadata!: Meta;
}
field(Shadow, 'kind', { type: 'integer' });

class Twice {
  @Field() @Field() name!: string;
}

export const classes = [kindWithSpec(Tree), kindWithSpec(Names), Shadow, kindWithSpec(Twice)];
