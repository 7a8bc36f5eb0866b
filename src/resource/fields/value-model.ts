import type { JsonSchema } from '../../api/json-schema.js';
import type { FieldClass } from './field-options.js';

/** The keywords of a schema that say neither what a value is called nor what it is made of. */
export type SchemaRules = Omit<
  JsonSchema,
  'type' | 'description' | 'properties' | 'required' | 'items' | 'additionalProperties'
>;

/** What the values of a field, an item or a map are. */
export interface ValueModel {
  /** None where any JSON, or an integer as well as a string, is allowed. */
  readonly type: JsonSchema['type'];
  readonly description: string | undefined;
  readonly rules: Readonly<SchemaRules>;
  /** The class of an object with fields. */
  readonly class: ClassModel | undefined;
  /** What a list holds. */
  readonly items: ValueModel | undefined;
  /** What a map holds; true for anything. */
  readonly values: ValueModel | true | undefined;
  /** Takes the place of all else in the schema. */
  readonly schema?: JsonSchema | undefined;
  /** Whether the property holds a Date, and JSON its text. */
  readonly isDate?: boolean | undefined;
  /** Longest description, in characters. */
  readonly maxDescriptionLength?: number | undefined;
}

/** Whether the object is of a definition of Kubernetes, of which there is no class. */
export function isOfDefinition(classModel: ClassModel | undefined): boolean {
  return classModel?.target === Object;
}

/** What a sentence calls the fields of a class. */
export function fieldWord(classModel: ClassModel): string {
  return isOfDefinition(classModel) ? 'field' : '@Field';
}

/** A type as a sentence names it. */
export function withArticle(type: ValueModel['type']): string {
  if (type === undefined) return 'a value of any type';
  if (type === 'array') return 'a list';
  return type === 'integer' || type === 'object' ? `an ${type}` : `a ${type}`;
}

/** One `@Field`. */
export interface FieldModel {
  readonly name: string;
  readonly isRequired: boolean;
  /** Has rules that class-validator checks before each reconcile. */
  readonly isRuntimeOnly: boolean;
  readonly value: ValueModel;
}

/** A class with `@Field` properties, those of the classes it extends included. */
export interface ClassModel {
  /** Object where there is no class: a definition of Kubernetes is plain JSON. */
  readonly target: FieldClass;
  /** Empty within a definition of Kubernetes, whose parts go without names. */
  readonly className: string;
  readonly description: string | undefined;
  readonly structType: 'atomic' | 'granular' | undefined;
  /** What is said of the object as a whole. */
  readonly rules: Readonly<SchemaRules>;
  /** The exact list of required members, where the class gives it. */
  readonly required: readonly string[] | undefined;
  /** Longest description of the class and of its fields, in characters. */
  readonly maxDescriptionLength: number | undefined;
  readonly fields: readonly FieldModel[];
  /** Fields that are no properties of the class. */
  readonly undeclared?: Readonly<Record<string, JsonSchema>> | undefined;
}
