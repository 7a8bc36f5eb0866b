import type { JsonSchema, ValidationRule } from '../../api/schema/json-schema.js';
import type { Definition } from '../../api/kinds/definition.js';
import type { Format } from '../../api/schema/formats.js';
import type { Gated } from '../feature-gates.js';

/** A class with `@Field` properties. */
export type FieldClass = abstract new (...args: never[]) => object;

/**
 * A type that can be named by itself; `() => Class` is for a class that is defined only later.
 *
 * A `quantity` is an integer or a string such as `500Mi`, a `duration` a string such as `1h30m`. A Date is a string of
 * format `date-time` in JSON. Kubernetes' own types are the kinds, such as `Pod`, and those of `kindwright/definitions`.
 */
export type TypeName =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'object'
  | 'quantity'
  | 'duration'
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | DateConstructor
  | FieldClass
  | (() => FieldClass)
  | Definition
  | (() => Definition);

/** Options for the value of a field, the items of a list, or the values of a map. */
export interface ValueOptions {
  /** For items and values of maps; `@Field('…')` describes the field. */
  readonly description?: string;
  /** Default: the declared type of the property, if the compiler records it. */
  readonly type?: TypeName;
  /** The items of an array; the compiler does not record their type. */
  readonly items?: TypeName | ValueOptions;
  /** The values of a map with string keys; true for any value. */
  readonly values?: TypeName | ValueOptions | true;
  /** An integer or a string, such as a port's number or name. */
  readonly intOrString?: boolean;
  /**
   * Any JSON, or with `type` any further fields: nothing of it is dropped. Where a class would contain itself, its
   * fields are left out.
   */
  readonly preserveUnknownFields?: boolean;
  /** A whole object of Kubernetes, with apiVersion, kind and metadata; without a class, of any kind. */
  readonly embeddedResource?: boolean;
  /**
   * False to leave the fields of `metadata` out of the schema of a Kubernetes type such as PodTemplateSpec, as
   * controller-gen does by default: the API server then drops the labels and annotations of templates. Default true.
   */
  readonly embeddedObjectMeta?: boolean;
  /** The schema of the value, verbatim; for schemas that no other option can express. */
  readonly schema?: JsonSchema;
  readonly title?: string;
  readonly externalDocs?: ExternalDocs;
  /**
   * Maximum length of the description, in characters; a longer one is cut after its last whole sentence. For a type of
   * Kubernetes, the limit also applies to the descriptions of its fields.
   */
  readonly maxDescriptionLength?: number;
  // The intersection keeps the editor's completion of the known formats.
  readonly format?: Format | (string & {});
  readonly default?: unknown;
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[] | Readonly<Record<string, string | number>>;
  readonly pattern?: RegExp | string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** How server-side apply merges the list: as one value, as a set of scalars, or by keys. */
  readonly listType?: 'atomic' | 'set' | 'map';
  /** With list type `map`: the fields that identify an item. */
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  /** CEL rules. */
  readonly validations?: readonly ValidationRule[];
  /** Further conditions, as JSON Schema without types, defaults and descriptions. */
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
}

/** A link to further documentation. */
export interface ExternalDocs {
  readonly url: string;
  readonly description?: string;
}

/** Options of `@Field`. */
export interface FieldOptions extends Omit<ValueOptions, 'description'>, Gated {
  /**
   * True if objects may omit the field. Default: true for `status`, and for a field with a default, a question mark or
   * `@IsOptional()`, or with an initializer on the kind's own class; otherwise false.
   */
  readonly optional?: boolean;
}
