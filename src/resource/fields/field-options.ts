import type { JsonSchema, ValidationRule } from '../../api/json-schema.js';
import type { Definition } from '../definitions/definition.js';
import type { Format } from '../../api/formats.js';

/** A class whose `@Field` properties make up an object. */
export type FieldClass = abstract new (...args: never[]) => object;

/**
 * A type that can be named by itself; `() => Class` is for a class that is defined only later.
 *
 * A `quantity` is an integer or a string such as `500Mi`, a `duration` a string such as `1h30m`. A Date is a string of
 * format `date-time` in JSON. Kubernetes' own types come from `kindwright/definitions`.
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

/** What a value may be: that of a field, an item of a list, or a value of a map. */
export interface ValueOptions {
  readonly description?: string;
  /** Default: the type of the property, as far as the compiler tells. */
  readonly type?: TypeName;
  /** What a list holds; the compiler tells only that it is one. */
  readonly items?: TypeName | ValueOptions;
  /** What a map of strings holds; true for anything. */
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
  /** The schema of the value, word for word; for what no other option can say. */
  readonly schema?: JsonSchema;
  readonly title?: string;
  readonly externalDocs?: ExternalDocs;
  /**
   * Longest description, in characters; what is longer ends with the last whole sentence. Of a type of Kubernetes, that
   * of each of its fields too.
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
  /** With list type `map`: the fields that tell items apart. */
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  /** Rules in CEL. */
  readonly validations?: readonly ValidationRule[];
  /** Further conditions, as JSON Schema without types, defaults and descriptions. */
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
}

/** Where more is to be read. */
export interface ExternalDocs {
  readonly url: string;
  readonly description?: string;
}

/** What a field may be. */
export interface FieldOptions extends ValueOptions {
  /**
   * Whether objects may omit the field. Default: true for `status`, and for a field with a default, a question mark or
   * `@IsOptional()`, or with an initializer on the kind's own class; otherwise false.
   */
  readonly optional?: boolean;
}
