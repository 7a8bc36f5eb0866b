import { invalidValue, required, tooLong, type FieldError } from '../../../../api/protocol/field-error.js';
import { dnsSubdomainErrors } from '../../../../api/objects/names.js';

const MAX_LENGTH = 63;

/** Returns the errors of the name of a CSI driver; upper case is allowed: core's ValidateCSIDriverName. */
export function validateDriverName(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  return [
    ...(name.length > MAX_LENGTH ? [tooLong(field, MAX_LENGTH)] : []),
    ...dnsSubdomainErrors(name.toLowerCase()).map((message) => invalidValue(field, name, message)),
  ];
}
