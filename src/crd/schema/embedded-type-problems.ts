import { invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { dns1035LabelErrors } from '../../api/objects/names.js';
import type { JsonObject } from '../../base/json-object.js';

/** Returns the errors of an embedded resource's apiVersion and kind. */
export function embeddedTypeProblems({ apiVersion, kind }: JsonObject, field: string): FieldError[] {
  return [
    ...(apiVersion === undefined ? [required(`${field}.apiVersion`)] : []),
    ...(kind === undefined ? [required(`${field}.kind`)] : []),
    ...(apiVersion === undefined ? [] : apiVersionProblems(apiVersion, `${field}.apiVersion`)),
    ...(kind === undefined ? [] : kindProblems(kind, `${field}.kind`)),
  ];
}

function apiVersionProblems(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'string') return [invalidValue(field, value, 'must be a string')];
  if (value === '') return [invalidValue(field, value, 'must not be empty')];
  return value.split('/').length > 2 ? [invalidValue(field, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindProblems(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'string') return [invalidValue(field, value, 'must be a string')];
  if (value === '') return [invalidValue(field, value, 'must not be empty')];
  const errors = dns1035LabelErrors(value.toLowerCase());
  return errors.length === 0
    ? []
    : [invalidValue(field, value, `may have mixed case, but should otherwise match: ${errors.join(',')}`)];
}
