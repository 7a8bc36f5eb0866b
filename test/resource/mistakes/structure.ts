import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { MinLength } from 'class-validator';
import type { FieldClass } from '../../../src/resource/decorators/field-options.js';
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

/** So many classes deep. */
function nested(depth: number): FieldClass {
  class Level {
    name = '';
  }
  if (depth > 1) field(Level, 'below', { type: nested(depth - 1) });
  else field(Level, 'name', { type: String });
  return Level;
}
field(Names, '', { type: String });
field(Names, 'x'.repeat(254), { type: String });

/** The options of a field are its own; rules of class-validator are inherited, as at run time. */
class Base {
  @Field({ maxLength: 9 }) name!: string;
  @Field() @MinLength(3) label!: string;
}
class Derived extends Base {
  @Field({ format: 'int32' }) override name!: string;
  @Field({ maxLength: 2 }) override label!: string;
}

export const classes = [
  kindWithSpec(nested(60)),
  kindWithSpec(Derived),
  kindWithSpec(Tree),
  kindWithSpec(Names),
  Shadow,
  kindWithSpec(Twice),
];
