import { invalidValue, type FieldError } from '../../../../api/protocol/field-error.js';

const DETAIL = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Returns the errors of the optional mode of a file in a volume. */
export function validateFileMode(field: string, mode: number | undefined): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777) ? [invalidValue(field, mode, DETAIL)] : [];
}
