import type { FieldError } from '../../api/field-error.js';
import type { ApiObject } from '../object.js';
import type { Resource } from '../resources/resource.js';
import {
  validateKubernetesFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta.js';

/** Every layer of the real server checks metadata anew, and clients see a cause as often as it was found. */
export function metadataChangeErrors(
  resource: Resource,
  next: ApiObject,
  old: ApiObject,
  subresource: string,
): FieldError[] {
  const change = validateObjectMetaUpdate(next, old);
  if (resource.isCustom)
    return [...change, ...change, ...change.filter(({ field }) => field !== 'metadata.finalizers')];
  const { metadataChecks = 'change' } = resource.strategy;
  const whole = validateObjectMeta(next, resource.namespaced, () => []);
  const common = [...whole, ...change];
  const checks = subresource === '' || metadataChecks !== 'whole' ? metadataChecks : 'change';
  if (checks === 'none') return common;
  if (checks === 'generic') return [...common, ...whole];
  const finalizers = validateKubernetesFinalizers(next.metadata);
  const kind = [...change, ...finalizers];
  return checks === 'change' ? [...common, ...kind] : [...common, ...kind, ...whole, ...finalizers];
}
