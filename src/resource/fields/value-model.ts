import type { JsonSchema } from '../../api/schema/json-schema.js';
import type { FieldClass } from '../decorators/field-options.js';

/** Schema keywords other than those for description and structure. */
export type SchemaRules = Omit<
  JsonSchema,
  'type' | 'description' | 'properties' | 'required' | 'items' | 'additionalProperties'
>;

/** The model of a field's, an item's or a map's values. */
export interface ValueModel {
  /** Undefined where any JSON, or both integer and string, is allowed. */
  readonly type: JsonSchema['type'];
  readonly description: string | undefined;
  readonly rules: Readonly<SchemaRules>;
  /** The class of an object with fields. */
  readonly class: ClassModel | undefined;
  /** The items of an array. */
  readonly items: ValueModel | undefined;
  /** The values of a map; true for any value. */
  readonly values: ValueModel | true | undefined;
  /** Replaces the generated schema. */
  readonly schema?: JsonSchema | undefined;
  /** Set when the property is a Date, which JSON represents as text. */
  readonly isDate?: boolean | undefined;
  /** Longest description, in characters. */
  readonly maxDescriptionLength?: number | undefined;
}

/** Returns true for a Kubernetes definition, which has no class. */
export function isOfDefinition(classModel: ClassModel | undefined): boolean {
  return classModel?.target === Object;
}

/** The term for a class's fields in messages. */
export function fieldWord(classModel: ClassModel): string {
  return isOfDefinition(classModel) ? 'field' : '@Field';
}

/** A type in messages: `type string`. */
export function describeType(type: ValueModel['type']): string {
  return type === undefined ? 'a value of any type' : `type ${type}`;
}

/** One `@Field`. */
export interface FieldModel {
  readonly name: string;
  readonly isRequired: boolean;
  /** Set when class-validator checks some of its rules before each reconcile. */
  readonly isRuntimeOnly: boolean;
  readonly value: ValueModel;
}

/** A class with `@Field` properties, including those of its base classes. */
export interface ClassModel {
  /** `Object` for a Kubernetes definition, which is plain JSON. */
  readonly target: FieldClass;
  /** Empty for the nested objects of a Kubernetes definition. */
  readonly className: string;
  readonly description: string | undefined;
  /** Rules for the object as a whole. */
  readonly rules: Readonly<SchemaRules>;
  /** The exact list of required members, if the class states it. */
  readonly required: readonly string[] | undefined;
  /** Longest description of the class and of its fields, in characters. */
  readonly maxDescriptionLength: number | undefined;
  readonly fields: readonly FieldModel[];
  /** Fields that are not properties of the class. */
  readonly undeclared?: Readonly<Record<string, JsonSchema>> | undefined;
}
