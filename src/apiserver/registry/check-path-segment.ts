import { goQuoted } from '../../base/go-quoted.js';
import { pathSegmentErrors } from '../../api/names.js';
import { badRequest } from '../errors/status-error.js';

/** @throws StatusError when no object can lie under the name: NoNamespaceKeyFunc of apiserver's registry/generic. */
export function checkPathSegment(name: string): void {
  const errors = pathSegmentErrors(name);
  if (errors.length > 0) throw badRequest(`Name parameter invalid: ${goQuoted(name)}: ${errors.join(';')}`);
}
