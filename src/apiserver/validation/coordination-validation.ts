import { invalidValue, type FieldError } from '../../api/field-error.js';
import { numberAt, stringAt, type ApiObject } from '../object.js';

/** Problems of a Lease. */
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

/** Problems of an Event. */
export function validateEvent({ involvedObject, metadata }: ApiObject): FieldError[] {
  const namespace = stringAt(involvedObject, 'namespace');
  const expected = namespace === '' ? 'default' : namespace;
  const isClusterScopedInSystem = namespace === '' && metadata.namespace === 'kube-system';
  if (metadata.namespace === expected || isClusterScopedInSystem) return [];
  return [invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace')];
}
