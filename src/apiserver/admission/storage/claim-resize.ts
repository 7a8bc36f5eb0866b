import { parseQuantity } from '../../../api/quantity.js';
import { objectAt, stringAt, type ApiObject } from '../../object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { refused, type AdmissionRequest } from '../admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';

const FORMER_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** Lets only bound claims grow, and only where their class says so. */
export class PersistentVolumeClaimResize implements AdmissionPlugin {
  readonly name = 'PersistentVolumeClaimResize';

  constructor(private readonly store: ObjectStore) {}

  validate(request: AdmissionRequest): void {
    const { resource, operation, subresource, object, old } = request;
    if (resource.storage !== 'persistentvolumeclaims' || operation !== 'UPDATE' || subresource !== '' || !old) return;
    if (sizeOf(object) <= sizeOf(old)) return;
    if (stringAt(old.status, 'phase') !== 'Bound')
      throw refused(request, 'Only bound persistent volume claims can be expanded');
    const name = classOf(object);
    const found = this.store.get('storageclasses.storage.k8s.io', name);
    if (name !== '' && name === classOf(old) && found?.object.allowVolumeExpansion === true) return;
    throw refused(
      request,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  }
}

function sizeOf({ spec }: ApiObject): bigint {
  return parseQuantity(stringAt(objectAt(objectAt({ spec }, 'spec').resources, 'requests'), 'storage'))?.nano ?? 0n;
}

function classOf({ spec, metadata }: ApiObject): string {
  return metadata.annotations?.[FORMER_CLASS] ?? stringAt(spec, 'storageClassName');
}
