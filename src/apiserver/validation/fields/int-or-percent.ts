import { invalidValue, type FieldError } from '../../../api/protocol/field-error.js';
import { validateNonNegative } from './field-checks.js';

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function percentOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number(value.slice(0, -1)) : undefined;
}

/** Returns the errors of a number or percentage: apps' ValidatePositiveIntOrPercent. */
export function validateIntOrPercent(field: string, value: unknown): FieldError[] {
  if (typeof value === 'number') return validateNonNegative(field, value);
  return typeof value !== 'string' || percentOf(value) !== undefined ? [] : [invalidValue(field, value, PERCENT)];
}

export function validateNotMoreThanAll(field: string, value: unknown): FieldError[] {
  return (percentOf(value) ?? 0) > 100 ? [invalidValue(field, value, 'must not be greater than 100%')] : [];
}

/** Reports whether a number or percentage is zero; invalid values count as zero. */
export function isZero(value: unknown): boolean {
  return (percentOf(value) ?? (typeof value === 'number' ? value : 0)) === 0;
}
