import { ownMember } from '../../base/own-member.js';
import { stringifyJson } from '../../base/json.js';
import { deepEqual } from '../../base/deep-equal.js';
import { compilePattern } from '../../base/pattern.js';
import {
  duplicate,
  invalidValue,
  notSupportedText,
  required,
  tooMany,
  typeInvalid,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { formatError } from '../formats/string-formats.js';
import { numberErrors } from './number-errors.js';
import { acceptsNull, isIntOrString, memberSchema, type StructuralSchema } from './structural-schema.js';

/** Validates values against a CRD's schema, with the error texts of the API server. */
export class SchemaValidator {
  constructor(private readonly schema: StructuralSchema) {}

  validate(value: unknown): FieldError[] {
    const errors: FieldError[] = [];
    this.visit(this.schema, value, '', errors);
    return errors;
  }

  private visit(schema: StructuralSchema, value: unknown, path: string, errors: FieldError[]): void {
    if (value === undefined || (value === null && acceptsNull(schema))) return;
    const mismatch = value === null && schema.nullable === true ? undefined : typeError(schema, value, path);
    if (mismatch) errors.push(mismatch);
    errors.push(...enumErrors(schema, value, path));
    if (mismatch) errors.push(...notWhole(schema, value, path));
    else this.own(schema, value, path, errors);
    if (value !== null) this.combinators(schema, value, path, errors); // null is checked only against type and enum
  }

  /** Validates a value against the keywords of its own type. */
  private own(schema: StructuralSchema, value: unknown, path: string, errors: FieldError[]): void {
    if (typeof value === 'string') this.string(schema, value, path, errors);
    else if (typeof value === 'number' || typeof value === 'bigint')
      errors.push(...numberErrors(schema, Number(value), path));
    else if (Array.isArray(value)) this.array(schema, value as unknown[], path, errors);
    else if (isJsonObject(value)) this.object(schema, value, path, errors);
  }

  private string(schema: StructuralSchema, value: string, path: string, errors: FieldError[]): void {
    const error = this.lengthOrPatternError(schema, value, path);
    if (error) errors.push(error);
    const problem = schema.format === undefined ? undefined : formatError(schema.format, value);
    if (problem !== undefined)
      errors.push(
        typeInvalid(path, stringifyJson(value), `${path} in body must be of type ${problem}: ${stringifyJson(value)}`),
      );
  }

  /** Returns only the first error, as the API server does. */
  private lengthOrPatternError(
    { maxLength, minLength, pattern }: StructuralSchema,
    value: string,
    path: string,
  ): FieldError | undefined {
    const length = Array.from(value).length;
    if (maxLength !== undefined && length > maxLength) {
      return {
        type: 'FieldValueTooLong',
        field: path,
        body: `Too long: may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`,
      };
    }
    if (minLength !== undefined && length < minLength)
      return invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`);
    if (pattern === undefined || compilePattern(pattern).matcher(value).find()) return undefined;
    return invalidValue(path, value, `${path} in body should match '${pattern}'`);
  }

  private array(schema: StructuralSchema, value: readonly unknown[], path: string, errors: FieldError[]): void {
    if (schema.maxItems !== undefined && value.length > schema.maxItems)
      errors.push(tooMany(path, value.length, schema.maxItems));
    if (schema.minItems !== undefined && value.length < schema.minItems) {
      errors.push(invalidValue(path, value.length, `${path} in body should have at least ${schema.minItems} items`));
    }
    const { items } = schema;
    if (items) value.forEach((item, index) => this.visit(items, item, `${path}[${index}]`, errors));
  }

  private object(schema: StructuralSchema, value: JsonObject, path: string, errors: FieldError[]): void {
    const names = Object.keys(value);
    errors.push(...propertyCountErrors(schema, value, names.length, path));
    const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
    for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) errors.push(required(below(name)));
    for (const name of names) {
      const member = memberSchema(schema, name);
      if (member) this.visit(member, value[name], below(name), errors);
    }
  }

  private combinators(schema: StructuralSchema, value: unknown, path: string, errors: FieldError[]): void {
    for (const part of schema.allOf ?? []) this.visit(part, value, path, errors);
    const failures = (part: StructuralSchema): FieldError[] => {
      const found: FieldError[] = [];
      this.visit(part, value, path, found);
      return found;
    };
    if (schema.anyOf) {
      const all = schema.anyOf.map(failures);
      if (!all.some(isValid))
        errors.push(unlike(`"${path}" must validate at least one schema (anyOf)`), ...(all[0] ?? []));
    }
    if (schema.oneOf) errors.push(...oneOfErrors(schema.oneOf.map(failures), path));
    if (schema.not && isValid(failures(schema.not)))
      errors.push(unlike(`"${path}" must not validate the schema (not)`));
  }
}

function isValid(errors: readonly FieldError[]): boolean {
  return errors.length === 0;
}

/** Errors of combined schemas have no field on the API server. */
function unlike(detail: string): FieldError {
  return invalidValue('<nil>', '', detail);
}

/** The API server checks the bounds of a number even if its type is wrong. */
function notWhole(schema: StructuralSchema, value: unknown, path: string): FieldError[] {
  return schema.type === 'integer' && typeof value === 'number' ? numberErrors(schema, value, path) : [];
}

/** Returns errors for duplicate items of sets and maps, which JSON Schema cannot express. */
export function listTypeErrors(schema: StructuralSchema, value: unknown, path: string): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    const own = duplicateItems(schema, value as unknown[], path);
    return items
      ? [...own, ...(value as unknown[]).flatMap((item, index) => listTypeErrors(items, item, `${path}[${index}]`))]
      : own;
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const type = memberSchema(schema, name);
    return type ? listTypeErrors(type, member, path === '' ? name : `${path}.${name}`) : [];
  });
}

function duplicateItems(schema: StructuralSchema, value: readonly unknown[], path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return [];
  const odd = listType === 'map' ? value.findIndex((item) => item !== null && !isJsonObject(item)) : -1;
  if (odd >= 0) return [invalidValue(`${path}[${odd}]`, value[odd], 'must be an object for an array of list-type map')];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  return value.flatMap((item, index) => {
    const identity =
      listType === 'set'
        ? item
        : Object.fromEntries(keys.map((key) => [key, isJsonObject(item) ? item[key] : undefined]));
    const text = stringifyJson(identity);
    if (seen.has(text)) return [duplicate(`${path}[${index}]`, identity)];
    seen.add(text);
    return [];
  });
}

function typeError(schema: StructuralSchema, value: unknown, path: string): FieldError | undefined {
  const actual = jsonType(value);
  const { type, format = '' } = schema;
  if (isIntOrString(schema)) {
    return actual === 'integer' || actual === 'string' ? undefined : wrongType(path, 'integer,string', actual);
  }
  if (type === undefined || actual === type || (type === 'number' && actual === 'integer')) return undefined;
  return format === '' ? wrongType(path, type, actual) : formattedTypeError(type, format, actual, path);
}

/** Types with a format are checked differently: lists are accepted as strings, and messages contain the format. */
function formattedTypeError(type: string, format: string, actual: string, path: string): FieldError | undefined {
  const isNumeric = type === 'integer' || type === 'number';
  if (actual === 'array' && !isNumeric) return undefined;
  const namesType = actual === 'array' || actual === 'string' || actual === 'null';
  return namesType ? wrongType(path, type, actual) : wrongType(path, format, ownMember(FORMATS, actual) ?? '');
}

/** The default formats of number values. */
const FORMATS: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

function wrongType(path: string, wanted: string, actual: string): FieldError {
  return typeInvalid(
    path,
    stringifyJson(actual),
    `${path} in body must be of type ${wanted}: ${stringifyJson(actual)}`,
  );
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'bigint' ? 'integer' : typeof value;
}

function enumErrors({ enum: allowed }: StructuralSchema, value: unknown, path: string): FieldError[] {
  if (!allowed || (value !== null && allowed.some((item) => deepEqual(item, value)))) return [];
  return [
    notSupportedText(
      path,
      value,
      allowed.map((item) => (typeof item === 'string' ? item : stringifyJson(item))),
    ),
  ];
}

function propertyCountErrors(
  { maxProperties, minProperties }: StructuralSchema,
  value: JsonObject,
  count: number,
  path: string,
): FieldError[] {
  if (maxProperties !== undefined && count > maxProperties) return [tooMany(path, count, maxProperties)];
  if (minProperties === undefined || count >= minProperties) return [];
  return [invalidValue(path, count, `${path} in body should have at least ${minProperties} properties`)];
}

/** Includes the errors of the first schema. */
function oneOfErrors(failures: readonly (readonly FieldError[])[], path: string): FieldError[] {
  const valid = failures.filter(isValid).length;
  if (valid === 1) return [];
  const detail = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  return [unlike(`"${path}" must validate one and only one schema (oneOf). ${detail}`), ...(failures[0] ?? [])];
}
