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
  'two words' = '';
  'a.b' = '';
}
field(Names, 'two words', { type: String });
field(Names, 'a.b', { type: String });
field(Names, '__proto__', { type: String });
field(Names, 'constructor', { type: String });

@Kind({ group: 'apps.example.com', version: 'v1' })
class Shadow extends Sound {
  @Field() override kind!: string;
  @Field({ type: 'object' }) override metadata!: { name: string };
}

class Twice {
  @Field() @Field() name!: string;
}

export const classes = [kindWithSpec(Tree), kindWithSpec(Names), Shadow, kindWithSpec(Twice)];
