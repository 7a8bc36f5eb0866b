import { PathSet } from '../apply/path-set.js';
import type { Metadata } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';

const ALL_BUT_STATUS = PathSet.fromFieldsV1({ 'f:metadata': {}, 'f:spec': {} });

/** The strategy of kinds with a status endpoint that does not change metadata. */
export const statusStrategy: Pick<Strategy, 'prepareForUpdate' | 'resetFields'> = {
  prepareForUpdate(next, old, subresource) {
    if (subresource === 'status') keepMetadata(next.metadata, old.metadata);
  },
  resetFields: (subresource) => (subresource === 'status' ? ALL_BUT_STATUS : undefined),
};

const KEPT = ['deletionTimestamp', 'selfLink', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** Restores metadata like metav1.ResetObjectMetaForStatus. */
function keepMetadata(metadata: Metadata, former: Metadata): void {
  for (const name of KEPT) {
    const value: unknown = Reflect.get(former, name);
    if (value === undefined) Reflect.deleteProperty(metadata, name);
    else Reflect.set(metadata, name, value);
  }
}
