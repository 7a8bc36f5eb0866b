import { invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { numberAt, type ApiObject } from '../objects/api-object.js';

/** Returns the errors of a Lease. */
export function validateLease({ spec }: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const duration = numberAt(spec, 'leaseDurationSeconds');
  if (duration !== undefined && duration <= 0)
    errors.push(invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  const transitions = numberAt(spec, 'leaseTransitions');
  if (transitions !== undefined && transitions < 0) {
    errors.push(invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  }
  return errors;
}
