import { ownMember } from '../../../base/own-member.js';
import type { ApiObject } from '../../objects/api-object.js';
import { isNew, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumes: 'kubernetes.io/pv-protection',
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

/** Adds finalizers that protect volumes and claims in use; a controller removes them. */
export class StorageObjectInUseProtection implements AdmissionPlugin {
  readonly name = 'StorageObjectInUseProtection';

  mutate(request: AdmissionAttributes): ApiObject {
    const { object, resource } = request;
    const finalizer = ownMember(FINALIZERS, resource.storage);
    const { finalizers = [] } = object.metadata;
    if (finalizer === undefined || !isNew(request, resource.storage) || finalizers.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  }
}
