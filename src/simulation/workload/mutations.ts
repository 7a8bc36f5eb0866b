import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { deepClone } from '../../base/deep-clone.js';
import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { SchemaValidator } from '../../crd/schema/schema-validator.js';
import type { StructuralSchema } from '../../crd/schema/structural-schema.js';
import { interestingValues, isMap } from './interesting-values.js';

/** An object with another value in one field. */
export interface Mutation {
  /** `spec.size`. */
  readonly field: string;
  readonly words: string;
  readonly object: UnstructuredObject;
  /** True if the schema rejects the object. Rules in CEL are not evaluated. */
  readonly isInvalid: boolean;
}

/** Deeper fields, such as those of a whole pod template, are changed as part of the field that holds them. */
const MAX_DEPTH = 5;
/** More values of one field are not tried. */
const MAX_VALUES = 12;

/**
 * Returns the object with other values, one field at a time: those that are there with their neighbours and limits, those
 * that are absent set, and optional ones removed.
 */
export function mutations(schema: StructuralSchema, object: UnstructuredObject): Mutation[] {
  const found: Mutation[] = [];
  const { properties = {} } = schema;
  for (const name of Object.keys(properties).filter((key) => !FIXED.has(key)))
    new Walk(schema, object, found).visit(properties[name] ?? {}, [name], isRequired(schema, name));
  return found;
}

const FIXED = new Set(['apiVersion', 'kind', 'metadata', 'status']);

class Walk {
  private readonly validator: SchemaValidator;

  constructor(
    schema: StructuralSchema,
    private readonly object: UnstructuredObject,
    private readonly found: Mutation[],
  ) {
    this.validator = new SchemaValidator(schema);
  }

  visit(schema: StructuralSchema, path: readonly (string | number)[], mustExist: boolean): void {
    const current = valueOf(this.object, path);
    const name = String(path.findLast((step) => typeof step === 'string'));
    const values = interestingValues(schema, name, current, accepts).slice(0, MAX_VALUES);
    for (const { value, words } of values) if (value !== undefined) this.add(path, value, words);
    if (current !== undefined && !mustExist && typeof path.at(-1) === 'string') this.add(path, undefined, 'absent');
    if (path.length < MAX_DEPTH) this.below(schema, current, path);
  }

  private below(schema: StructuralSchema, current: unknown, path: readonly (string | number)[]): void {
    const { properties = {}, items } = schema;
    if (isJsonObject(current) && !isMap(schema))
      for (const name of Object.keys(properties))
        this.visit(properties[name] ?? {}, [...path, name], isRequired(schema, name));
    // The first item stands for the others.
    if (Array.isArray(current) && current.length > 0 && items) this.visit(items, [...path, 0], true);
  }

  private add(path: readonly (string | number)[], value: unknown, words: string): void {
    const object = withValue(this.object, path, value);
    if (deepEqual(object, this.object)) return;
    const isInvalid = this.validator.validate(object).length > 0;
    const field = path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('');
    this.found.push({ field: field.slice(1), words, object, isInvalid });
  }
}

function accepts(schema: StructuralSchema, value: unknown): boolean {
  return new SchemaValidator(schema).validate(value).length === 0;
}

function isRequired({ required = [] }: StructuralSchema, name: string): boolean {
  return required.includes(name);
}

function valueOf(object: object, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => (value as JsonObject | undefined)?.[step], object);
}

function withValue(object: UnstructuredObject, path: readonly (string | number)[], value: unknown): UnstructuredObject {
  const copy = deepClone(object);
  const last = path.at(-1) ?? '';
  const parent = valueOf(copy, path.slice(0, -1)) as JsonObject;
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return copy;
}
