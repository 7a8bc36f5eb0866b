import {
  CustomResourceDefinitionSpec,
  EnvVar,
  JSONSchemaProps,
  PodSpec,
  Quantity,
  ServiceAccountList,
} from '../../../src/definitions.js';
import { Field } from '../../../src/resource/decorators/field.js';
import type { FieldClass } from '../../../src/resource/decorators/field-options.js';
import { kindWithSpec } from './classes.js';

class Extended extends (PodSpec as FieldClass) {
  @Field() image!: string;
}

class Referring {
  @Field({ type: JSONSchemaProps }) schema!: JSONSchemaProps;
  @Field() declared!: CustomResourceDefinitionSpec;
  @Field({ items: JSONSchemaProps }) schemas!: JSONSchemaProps[];
  @Field({ type: ServiceAccountList }) accounts!: ServiceAccountList;
  @Field({ type: EnvVar, minLength: 1 }) text!: EnvVar;
  @Field({ type: EnvVar, default: { value: 'a' } }) nameless!: EnvVar;
  @Field({ type: EnvVar, default: { name: 'a', colour: 'red' } }) unknown!: EnvVar;
  @Field({ type: EnvVar, default: { name: 'a', valueFrom: { fieldRef: { path: 'a' } } } }) missing!: EnvVar;
  @Field({ type: EnvVar, default: { name: 'a', valueFrom: { colour: 'red' } } }) deep!: EnvVar;
  @Field({ type: Quantity, default: 'many' }) quantity!: Quantity;
  @Field({ items: EnvVar, listType: 'map', listMapKeys: ['value'] }) byValue!: EnvVar[];
  @Field({ items: EnvVar, listType: 'map', listMapKeys: ['key'] }) byKey!: EnvVar[];
  @Field({ items: EnvVar, listType: 'set' }) set!: EnvVar[];
  @Field() extended!: Extended;
}

export const classes = [kindWithSpec(Referring)];
