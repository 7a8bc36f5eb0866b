import { goQuoted } from '../../base/go-quoted.js';
import { goJson } from '../../base/go-json.js';
import type { StatusDetails } from './status.js';

/** The types of field errors: the `reason` of a status cause. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** An error of one field: apimachinery's field.Error. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** The message without the field. */
  readonly body: string;
}

function error(type: FieldErrorType, field: string, body: string): FieldError {
  return { type, field, body };
}

/** Formats the rejected value as Go prints it: strings quoted, composites as JSON. */
function formatBadValue(value: unknown): string {
  return typeof value === 'string' ? goQuoted(value) : goJson(value);
}

export function required(field: string, detail = ''): FieldError {
  return error('FieldValueRequired', field, detail === '' ? 'Required value' : `Required value: ${detail}`);
}

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  const body = `Invalid value: ${formatBadValue(value)}`;
  return error('FieldValueInvalid', field, detail === '' ? body : `${body}: ${detail}`);
}

/** Returns the error of an invalid value that is a string in JSON and a named type in Go, or of a struct or list. */
export function invalidTyped(field: string, value: unknown, detail: string): FieldError {
  return error('FieldValueInvalid', field, `Invalid value: ${goJson(value)}: ${detail}`);
}

export function typeInvalid(field: string, value: string, detail: string): FieldError {
  return error('FieldValueTypeInvalid', field, `Invalid value: ${value}: ${detail}`);
}

/** Returns the error of an unsupported value of an enumeration with a named Go type. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  return unsupported(field, goJson(value), supported);
}

/** Returns the error of an unsupported value of type string in Go. */
export function notSupportedText(field: string, value: unknown, supported: readonly string[]): FieldError {
  return unsupported(field, formatBadValue(value), supported);
}

function unsupported(field: string, value: string, supported: readonly string[]): FieldError {
  const list = supported.length === 0 ? '' : `: supported values: ${supported.map(goQuoted).join(', ')}`;
  return error('FieldValueNotSupported', field, `Unsupported value: ${value}${list}`);
}

export function duplicate(field: string, value: unknown): FieldError {
  return error('FieldValueDuplicate', field, `Duplicate value: ${formatBadValue(value)}`);
}

export function forbiddenField(field: string, detail: string): FieldError {
  return error('FieldValueForbidden', field, detail === '' ? 'Forbidden' : `Forbidden: ${detail}`);
}

export function tooLong(field: string, maxLength: number): FieldError {
  return error('FieldValueTooLong', field, `Too long: may not be more than ${maxLength} bytes`);
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  return error(
    'FieldValueTooMany',
    field,
    `Too many: ${actual}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
  );
}

/** Returns an error that occurred while a field was checked. */
export function internalProblem(field: string, problem: string): FieldError {
  return error('InternalError', field, `Internal error: ${problem}`);
}

export function notFoundField(field: string, value: unknown): FieldError {
  return error('FieldValueNotFound', field, `Not found: ${formatBadValue(value)}`);
}

/** Formats a single error as is; several errors are put in brackets, without duplicates. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const lines = [...new Set(errors.map(({ field, body }) => `${field}: ${body}`))];
  return lines.length === 1 ? (lines[0] ?? '') : `[${lines.join(', ')}]`;
}

export function toCause({ type, field, body }: FieldError): NonNullable<StatusDetails['causes']>[number] {
  return { reason: type, message: body, field };
}
