import type { JsonSchema } from '../../api/json-schema.js';
import { definitionName, shortName } from '../definitions/definition.js';
import type { DesignType } from '../metadata.js';
import { definitionModel } from './definition-model.js';
import type { FieldClass, TypeName, ValueOptions } from './field-options.js';
import type { ValueModel } from './value-model.js';

/** What a value is made of, before its rules are looked at. */
export type ValueShape =
  | { readonly of: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'any' }
  | { readonly of: 'intOrString' | 'quantity' | 'duration' | 'date' }
  | { readonly of: 'schema'; readonly schema: JsonSchema }
  | { readonly of: 'list'; readonly items: TypeName | ValueOptions }
  | { readonly of: 'map'; readonly values: TypeName | ValueOptions | true }
  | { readonly of: 'class'; readonly target: FieldClass }
  | { readonly of: 'definition'; readonly model: ValueModel }
  | { readonly of: 'unknown'; readonly problem: string; readonly hint: string };

/** What is known of a value when its shape is looked for. */
export interface ShapeSource {
  readonly options: ValueOptions;
  /** None for items and map values, of which the compiler notes nothing. */
  readonly design: DesignType | undefined;
  /** Whether a constraint says that a number is an integer, or at least a number. */
  readonly numberIs: 'integer' | 'number' | undefined;
  /** The only values that the options or a constraint allow. */
  readonly allowed: readonly unknown[] | undefined;
  /** What hints call the field. */
  readonly member: string;
}

// eslint-disable-next-line no-restricted-globals -- names the type, does not read the time
const DATE = Date;
const INTEGER_FORMATS = new Set<unknown>(['int32', 'int64']);
const NUMBER_FORMATS = new Set<unknown>(['float', 'double']);

/** Options first, the compiler's note second. */
export function shapeOf(source: ShapeSource): ValueShape {
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
  const { options, design } = source;
  if (!isFieldClass(design?.type)) {
    if (options.embeddedResource) return { of: 'object' };
    if (options.preserveUnknownFields) return { of: 'any' };
    if (source.allowed && !isPrimitive(design?.type)) return shapeOfValues(source.allowed);
  }
  if (!design) return unknown('has no type: the compiler leaves none behind', compilerHint(source.member));
  return designedShape(design.type, source);
}

/** What a value is made of that takes only these. */
function shapeOfValues(allowed: readonly unknown[]): ValueShape {
  if (allowed.every((value) => typeof value === 'boolean')) return { of: 'boolean' };
  if (allowed.every((value) => typeof value === 'string')) return { of: 'string' };
  if (allowed.every((value) => typeof value === 'number'))
    return { of: allowed.every(Number.isInteger) ? 'integer' : 'number' };
  return unknown('its enum has values of several types', 'intOrString: true, or values of one type');
}

function compilerHint(member: string): string {
  const compilers = 'tsc, swc or run-operator (esbuild and tsx leave types out)';
  return `set "emitDecoratorMetadata": true and compile with ${compilers}, or @Field({ type: String }) ${member}`;
}

function listShape(items: TypeName | ValueOptions, design: DesignType | undefined): ValueShape {
  if (!design || design.type === Array || design.type === Object) return { of: 'list', items };
  return unknown(`has items but is declared as ${nameOf(design.type)}`, 'declare it as a list, or remove items');
}

function mapShape(values: TypeName | ValueOptions | true, design: DesignType | undefined): ValueShape {
  if (!design || design.type === Object) return { of: 'map', values };
  return unknown(
    `has values but is declared as ${nameOf(design.type)}`,
    'declare it as Record<string, …>, or remove values',
  );
}

/** A type given by name wins over the compiler's note, which it must not contradict. */
function namedShape(type: TypeName, source: ShapeSource): ValueShape {
  if (typeof type === 'string') return jsonShape(type, source.design);
  if (type === String || type === Boolean || type === Number || type === DATE) return designedShape(type, source);
  const target: unknown = isThunk(type) ? type() : type;
  if (isFieldClass(target)) return classShape(target, source);
  return unknown(`is of a class that is ${String(target)}`, 'name it as () => Class, and export the class');
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

function jsonShape(type: keyof typeof DECLARED_AS, design: DesignType | undefined): ValueShape {
  const declared: readonly unknown[] = DECLARED_AS[type];
  const fits = !design || declared.includes(design.type) || design.type === Object || typeof design.type === 'object';
  if (fits) return { of: type };
  const problem = `has type '${type}' but is declared as ${nameOf(design.type)}`;
  return unknown(problem, 'remove type, or change the declaration');
}

/** An arrow function stands for the class it returns; a class has a prototype. */
function isThunk(type: unknown): type is () => unknown {
  return typeof type === 'function' && type.prototype === undefined;
}

function designedShape(type: unknown, source: ShapeSource): ValueShape {
  if (type === String) return { of: 'string' };
  if (type === Boolean) return { of: 'boolean' };
  if (type === Number) return numberShape(source);
  if (type === DATE) return { of: 'date' };
  if (isFieldClass(type)) return classShape(type, source);
  return refusal(type, source.member);
}

function classShape(target: FieldClass, { design, member }: ShapeSource): ValueShape {
  const name = definitionName(target);
  if (name === undefined) return { of: 'class', target };
  const model = definitionModel(name);
  if (typeof model !== 'string') return { of: 'definition', model };
  const anything = `{ type: 'object', preserveUnknownFields: true }`;
  const hint = design ? `@Field(${anything}) ${member}: object` : anything;
  return unknown(`is of ${shortName(name)}, which ${model}`, hint);
}

function numberShape({ options: { format }, design, numberIs, allowed, member }: ShapeSource): ValueShape {
  const hasIntegers = allowed !== undefined && allowed.length > 0 && allowed.every(Number.isInteger);
  if (INTEGER_FORMATS.has(format) || numberIs === 'integer' || hasIntegers) return { of: 'integer' };
  if (NUMBER_FORMATS.has(format) || numberIs === 'number') return { of: 'number' };
  const instead = design ? `@Field({ format: 'int32' }) ${member}` : `{ type: 'integer', format: 'int32' }`;
  return unknown('is a number, which may be an integer or not', `${instead}, or 'int64' or 'double'`);
}

/** Types that the compiler notes and a schema cannot hold, with what to type instead; $ stands for the field. */
const REFUSED = new Map<unknown, readonly [problem: string, hint: string]>([
  [Array, ['is a list without item type', '@Field({ items: String }) $']],
  [
    Object,
    [
      'has no one type: a record, a union, an interface or any',
      '@Field({ values: String }) $ for a record, { type: String, nullable: true } for string | null, { type: () => Class } for a class, { intOrString: true } or { preserveUnknownFields: true }',
    ],
  ],
  [Map, ['is a Map, and JSON holds none', '@Field({ values: String }) $: Record<string, string>']],
  [Set, ['is a Set, and JSON holds none', `@Field({ items: String, listType: 'set' }) $: string[]`]],
  [BigInt, ['is a bigint, and JSON holds none', `@Field({ format: 'int64' }) $: number`]],
  [undefined, ['is of a class that is not defined yet', 'move that class above, or @Field({ type: () => Class }) $']],
]);

function refusal(type: unknown, member: string): ValueShape {
  // The compiler notes an enum of another module as the enum itself.
  if (typeof type === 'object')
    return unknown('is of an enum, whose values the schema has to list', `@Field({ enum: TheEnum }) ${member}`);
  const [problem, hint] = REFUSED.get(type) ?? [
    `is declared as ${nameOf(type)}, which has no place in a schema`,
    'use string, number, boolean, a list, a record or a class with @Field properties',
  ];
  return unknown(problem, hint.replace('$', member));
}

const BUILT_IN = new Set<unknown>([
  ...REFUSED.keys(),
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

function isFieldClass(type: unknown): type is FieldClass {
  return typeof type === 'function' && !BUILT_IN.has(type) && type.prototype !== undefined;
}

function unknown(problem: string, hint: string): ValueShape {
  return { of: 'unknown', problem, hint };
}

function nameOf(type: unknown): string {
  return typeof type === 'function' && type.name !== '' ? type.name : String(type);
}
