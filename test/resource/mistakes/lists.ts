import { ArrayUnique } from 'class-validator';
import { Field } from '../../../src/resource/decorators/field.js';
import { kindWithSpec } from './classes.js';

class Item {
  @Field() name!: string;
  @Field({ optional: true }) zone?: string;
  @Field({ nullable: true }) host!: string;
  @Field({ items: String }) aliases!: string[];
  @Field({ default: 'TCP' }) protocol!: string;
}

class Lists {
  @Field({ items: Item, listType: 'map' }) noKeys!: Item[];
  @Field({ items: Item, listType: 'map', listMapKeys: ['nam'] }) wrongKey!: Item[];
  @Field({ items: Item, listType: 'map', listMapKeys: ['zone'] }) optionalKey!: Item[];
  @Field({ items: Item, listType: 'map', listMapKeys: ['host'] }) nullableKey!: Item[];
  @Field({ items: Item, listType: 'map', listMapKeys: ['aliases'] }) listKey!: Item[];
  @Field({ items: { type: Item, nullable: true }, listType: 'map', listMapKeys: ['name'] }) nullableItems!: Item[];
  @Field({ items: String, listType: 'map', listMapKeys: ['name'] }) scalars!: string[];
  @Field({ items: Item, listMapKeys: ['name'] }) noMap!: Item[];
  @Field({ items: Item, listType: 'set' }) setOfObjects!: Item[];
  @Field({ items: Item }) @ArrayUnique() uniqueObjects!: Item[];
  @Field({ listType: 'set' }) noList!: string;
  @Field({ items: Item, listType: 'map', listMapKeys: ['name', 'protocol'] }) sound!: Item[];
  @Field({ items: String }) @ArrayUnique() soundSet!: string[];
}

export const classes = [kindWithSpec(Lists)];
