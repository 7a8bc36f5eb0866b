/** A class whose `@Field` properties make up an object. */
export type FieldClass = abstract new (...args: never[]) => object;

/** A type that can be named by itself; `() => Class` is for a class that is defined only later. */
export type TypeName =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'object'
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | FieldClass
  | (() => FieldClass);

/** The formats that the API server checks, and those it lets stand. */
export type Format =
  | 'int32'
  | 'int64'
  | 'float'
  | 'double'
  | 'byte'
  | 'date'
  | 'date-time'
  | 'duration'
  | 'email'
  | 'hostname'
  | 'ipv4'
  | 'ipv6'
  | 'cidr'
  | 'mac'
  | 'uri'
  | 'uuid'
  | 'password';

/** What a value may be: that of a field, an item of a list, or a value of a map. */
export interface ValueOptions {
  readonly description?: string;
  /** Default: the type of the property, as far as the compiler tells. */
  readonly type?: TypeName;
  /** What a list holds; the compiler tells only that it is one. */
  readonly items?: TypeName | ValueOptions;
  /** What a map of strings holds. */
  readonly values?: TypeName | ValueOptions;
  /** An integer or a string, such as a port's number or name. */
  readonly intOrString?: boolean;
  /** Any JSON, or with `type` any further fields: nothing of it is dropped. */
  readonly preserveUnknownFields?: boolean;
  readonly title?: string;
  readonly format?: Format;
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
}

/** What a field may be. */
export interface FieldOptions extends ValueOptions {
  /** May be left out. Default: false; true on the kind's own fields, with a default and under `@IsOptional()`. */
  readonly optional?: boolean;
}
