import { FieldManager } from '../apply/field-manager.js';
import { PathSet } from '../apply/path-set.js';
import type { Resource } from '../resources/resource.js';
import { resetFieldsOf } from './subresource-write.js';
import type { UpdateOptions } from './update-options.js';

const STATUS = PathSet.fromFieldsV1({ 'f:status': {} });

/**
 * Keeps who owns which fields of a resource's objects, for the requests of one of its endpoints.
 *
 * @param now as metav1.Time
 */
export function resourceFieldManager(
  resource: Resource,
  { subresource = '', calls }: Pick<UpdateOptions, 'subresource' | 'calls'>,
  now: string,
): FieldManager {
  const { codec, apiVersion, isCustom } = resource;
  const reset = resetFieldsOf(resource, subresource, STATUS);
  return new FieldManager({
    type: codec.mergeType,
    apiVersion,
    subresource,
    reset,
    // The main endpoint of a custom resource knows of its own version alone what it leaves as it is.
    resetElsewhere: isCustom && subresource === '' ? undefined : reset,
    versions: codec.fieldVersions(calls),
    now,
    isChecked: !isCustom,
    encode: (object) => codec.encode(object),
    empty: codec.empty(),
  });
}
