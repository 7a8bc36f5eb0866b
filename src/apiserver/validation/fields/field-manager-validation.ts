import { invalidValue, tooLong, type FieldError } from '../../../api/protocol/field-error.js';

const MAX_BYTES = 128;
/** Characters for which Go's unicode.IsPrint returns false. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Returns the errors of the name of a field manager. */
export function fieldManagerErrors(manager: string, field: string): FieldError[] {
  const errors = Buffer.byteLength(manager) > MAX_BYTES ? [tooLong(field, MAX_BYTES)] : [];
  for (const { 0: letter, index } of manager.matchAll(UNPRINTABLE)) {
    const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = Buffer.byteLength(manager.slice(0, index));
    errors.push(invalidValue(field, manager, `invalid character U+${code} (at position ${position})`));
  }
  return errors;
}
