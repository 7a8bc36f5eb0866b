import { definitionName, shortName } from '../../api/kinds/definition.js';
import type { JsonSchema } from '../../api/schema/json-schema.js';
import { nearest } from '../../base/nearest.js';
import { ownMember } from '../../base/own-member.js';
import type { DeclaredType } from '../declared-type.js';
import type { DesignType } from '../metadata.js';
import { definitionModel } from './definition-model.js';
import type { FieldClass, TypeName, ValueOptions } from '../decorators/field-options.js';
import { noTypeProblem, vagueTypeProblem } from './missing-type.js';
import type { ValueModel } from './value-model.js';

/** The structure of a value, without its rules. */
export type ValueShape =
  | { readonly of: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'any' }
  | { readonly of: 'intOrString' | 'quantity' | 'duration' | 'date' }
  | { readonly of: 'schema'; readonly schema: JsonSchema }
  | { readonly of: 'list'; readonly items: TypeName | ValueOptions }
  | { readonly of: 'map'; readonly values: TypeName | ValueOptions | true }
  | { readonly of: 'class'; readonly target: FieldClass }
  | { readonly of: 'definition'; readonly model: ValueModel }
  | { readonly of: 'unknown'; readonly problem: string; readonly hint: string };

/** The facts that a value's shape follows from. */
export interface ShapeSource {
  readonly options: ValueOptions;
  /** Undefined for items and map values, for which the compiler records no type. */
  readonly design: DesignType | undefined;
  /** Set when a constraint requires an integer, or a number. */
  readonly numberIs: 'integer' | 'number' | undefined;
  /** The only values that the options or a constraint allow. */
  readonly allowed: readonly unknown[] | undefined;
  /** Facts from the property's declaration; empty for items and map values. */
  readonly declared: DeclaredType;
  /** The field's name in hints. */
  readonly member: string;
}

// eslint-disable-next-line no-restricted-globals -- names the type, does not read the time
const DATE = Date;
const INTEGER_FORMATS = new Set<unknown>(['int32', 'int64']);
const NUMBER_FORMATS = new Set<unknown>(['float', 'double']);

/** Returns the shape of a value: its options take precedence over the type that the compiler recorded. */
export function valueShape(source: ShapeSource): ValueShape {
  const { options, design } = source;
  const { items, values, type, schema } = options;
  if (schema !== undefined) return { of: 'schema', schema };
  if (items !== undefined) return listShape(items, design);
  if (values !== undefined) return mapShape(values, design);
  if (options.intOrString) return { of: 'intOrString' };
  if (type !== undefined) return namedShape(type, source);
  return unnamedShape(source);
}

function unnamedShape(source: ShapeSource): ValueShape {
  const { options, design, declared, member } = source;
  if (!isFieldClass(design?.type)) {
    if (options.embeddedResource) return { of: 'object' };
    if (options.preserveUnknownFields) return { of: 'any' };
    if (source.allowed && !isPrimitive(design?.type)) return shapeOfValues(source.allowed);
  }
  if (!design || isInferred(source)) return unknown(...noTypeProblem(member, declared, isNumberStated(source)));
  return designedShape(design.type, source);
}

/** The shape of a value that is limited to these values. */
function shapeOfValues(allowed: readonly unknown[]): ValueShape {
  if (allowed.every((value) => typeof value === 'boolean')) return { of: 'boolean' };
  if (allowed.every((value) => typeof value === 'string')) return { of: 'string' };
  if (allowed.every((value) => typeof value === 'number'))
    return { of: allowed.every(Number.isInteger) ? 'integer' : 'number' };
  return unknown('enum has values of several types', 'use values of one type, or intOrString: true');
}

/** Some compilers record `Object` for a property without declared type. */
function isInferred({ design, declared }: ShapeSource): boolean {
  return declared.inferred !== undefined && design?.type === Object;
}

function isNumberStated({ options: { format }, numberIs, allowed }: ShapeSource): boolean {
  return numberIs !== undefined || INTEGER_FORMATS.has(format) || NUMBER_FORMATS.has(format) || allowed !== undefined;
}

function listShape(items: TypeName | ValueOptions, design: DesignType | undefined): ValueShape {
  if (!design || design.type === Array || design.type === Object) return { of: 'list', items };
  return unknown(
    `has option items but is declared as ${nameOf(design.type)}`,
    'declare it as an array, or remove items',
  );
}

function mapShape(values: TypeName | ValueOptions | true, design: DesignType | undefined): ValueShape {
  if (!design || design.type === Object) return { of: 'map', values };
  return unknown(
    `has option values but is declared as ${nameOf(design.type)}`,
    'declare it as Record<string, …>, or remove values',
  );
}

/** A named type takes precedence over the recorded type, and must not contradict it. */
function namedShape(type: TypeName, source: ShapeSource): ValueShape {
  if (typeof type === 'string') return jsonShape(type, source.design);
  if (type === String || type === Boolean || type === Number || type === DATE) return designedShape(type, source);
  const target: unknown = isThunk(type) ? type() : type;
  if (isFieldClass(target)) return classShape(target, source);
  return unknown(`type is ${String(target)}, which is not a class`, 'use type: () => Class, and export the class');
}

const DECLARED_AS = {
  string: [String],
  integer: [Number],
  number: [Number],
  boolean: [Boolean],
  object: [],
  quantity: [String, Number],
  duration: [String],
} as const satisfies Record<string, readonly unknown[]>;

type JsonTypeName = keyof typeof DECLARED_AS;

function isJsonTypeName(type: string): type is JsonTypeName {
  return Object.hasOwn(DECLARED_AS, type);
}

/** Type names of other languages and JSON Schema -> the option to use. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  int: `type: 'integer'`,
  int32: `format: 'int32'`,
  int64: `format: 'int64'`,
  float: `type: 'number'`,
  double: `format: 'double'`,
  bool: `type: 'boolean'`,
  array: 'items: String',
  map: 'values: String',
  date: 'type: Date',
  'date-time': 'type: Date',
};

function jsonShape(type: string, design: DesignType | undefined): ValueShape {
  if (!isJsonTypeName(type)) {
    const names = Object.keys(DECLARED_AS);
    const like = nearest(type, names);
    const instead = ownMember(OTHER_NAMES, type.toLowerCase()) ?? (like && `type: '${like}'`);
    const valid = `valid types are ${names.join(', ')} and classes`;
    return unknown(`type '${type}' is not valid`, instead === undefined ? valid : `${instead}; ${valid}`);
  }
  const declared: readonly unknown[] = DECLARED_AS[type];
  const fits = !design || declared.includes(design.type) || design.type === Object || typeof design.type === 'object';
  if (fits) return { of: type };
  const problem = `has type '${type}' but is declared as ${nameOf(design.type)}`;
  return unknown(problem, 'remove type, or change the declaration');
}

/** Distinguishes `() => Class` from a class, which has a prototype. */
function isThunk(type: unknown): type is () => unknown {
  return typeof type === 'function' && type.prototype === undefined;
}

function designedShape(type: unknown, source: ShapeSource): ValueShape {
  if (type === String) return { of: 'string' };
  if (type === Boolean) return { of: 'boolean' };
  if (type === Number) return numberShape(source);
  if (type === DATE) return { of: 'date' };
  if (isFieldClass(type)) return classShape(type, source);
  return refusal(type, source);
}

function classShape(target: FieldClass, { options, design, member }: ShapeSource): ValueShape {
  const name = definitionName(target);
  if (name === undefined) return { of: 'class', target };
  const model = definitionModel(name, options.embeddedObjectMeta);
  if (typeof model !== 'string') return { of: 'definition', model };
  const anything = `{ type: 'object', preserveUnknownFields: true }`;
  const hint = design ? `@Field(${anything}) ${member}: object` : anything;
  return unknown(`has type ${shortName(name)}, which ${model}`, hint);
}

function numberShape({ options: { format }, design, numberIs, allowed, member }: ShapeSource): ValueShape {
  const hasIntegers = allowed !== undefined && allowed.length > 0 && allowed.every(Number.isInteger);
  if (INTEGER_FORMATS.has(format) || numberIs === 'integer' || hasIntegers) return { of: 'integer' };
  if (NUMBER_FORMATS.has(format) || numberIs === 'number') return { of: 'number' };
  const instead = design ? `@Field({ format: 'int32' }) ${member}` : `{ type: 'integer', format: 'int32' }`;
  return unknown(
    'is a number, and the schema must state whether it is an integer',
    `${instead}, or 'int64' or 'double'`,
  );
}

/** Recorded types that a schema cannot express, with the code to write instead; $ is the field's name. */
const REFUSED = new Map<unknown, readonly [problem: string, hint: string]>([
  [Map, ['is a Map, which JSON cannot represent', '@Field({ values: String }) $: Record<string, string>']],
  [Set, ['is a Set, which JSON cannot represent', `@Field({ items: String, listType: 'set' }) $: string[]`]],
  [
    BigInt,
    [
      'is a bigint, and integers within 2^53 are numbers',
      `@Field({ type: 'integer', format: 'int64' }) $: number | bigint`,
    ],
  ],
  [
    undefined,
    [
      'has a class as type that is not defined yet',
      'move that class above this one, or @Field({ type: () => Class }) $',
    ],
  ],
]);

function refusal(type: unknown, { member, declared }: ShapeSource): ValueShape {
  if (type === Array) return unknown(...vagueTypeProblem(member, declared, 'Array'));
  if (type === Object) return unknown(...vagueTypeProblem(member, declared, 'Object'));
  // The compiler records an enum of another module as the enum itself.
  if (typeof type === 'object')
    return unknown(
      'is declared as an enum, and the schema must list its values',
      `@Field({ enum: TheEnum }) ${member}`,
    );
  const [problem, hint] = REFUSED.get(type) ?? [
    `is declared as ${nameOf(type)}, which a schema cannot express`,
    'use string, number, boolean, an array, a record or a class with @Field properties',
  ];
  return unknown(problem, hint.replace('$', member));
}

const BUILT_IN = new Set<unknown>([
  ...REFUSED.keys(),
  Array,
  Object,
  DATE,
  String,
  Number,
  Boolean,
  Function,
  Symbol,
  Promise,
  RegExp,
  Error,
  WeakMap,
  WeakSet,
  ArrayBuffer,
  Uint8Array,
  Buffer,
  URL,
]);

function isPrimitive(type: unknown): boolean {
  return type === String || type === Number || type === Boolean;
}

/** The kinds of Kubernetes are objects. */
export function isFieldClass(type: unknown): type is FieldClass {
  if (definitionName(type) !== undefined) return true;
  return typeof type === 'function' && !BUILT_IN.has(type) && type.prototype !== undefined;
}

function unknown(problem: string, hint: string): ValueShape {
  return { of: 'unknown', problem, hint };
}

function nameOf(type: unknown): string {
  const definition = definitionName(type);
  if (definition !== undefined) return shortName(definition);
  return typeof type === 'function' && type.name !== '' ? type.name : String(type);
}
