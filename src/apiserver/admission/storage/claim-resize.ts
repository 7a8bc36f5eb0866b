import { parseQuantity } from '../../../api/schema/quantity.js';
import { objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';

const FORMER_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** Allows only bound claims to grow, and only if their class allows it. */
export class PersistentVolumeClaimResize implements AdmissionPlugin {
  readonly name = 'PersistentVolumeClaimResize';

  constructor(private readonly store: ObjectStore) {}

  validate(request: AdmissionAttributes): void {
    const { object, old } = request;
    if (!old || !isUpdate(request) || sizeOf(object) <= sizeOf(old)) return;
    if (stringAt(old.status, 'phase') !== 'Bound')
      throw refused(request, 'Only bound persistent volume claims can be expanded');
    if (classOf(object) === classOf(old) && this.allowsGrowth(classOf(object))) return;
    throw refused(
      request,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  }

  private allowsGrowth(name: string): boolean {
    return this.store.get('storageclasses.storage.k8s.io', name)?.object.allowVolumeExpansion === true;
  }
}

function isUpdate({ resource, operation, subresource }: AdmissionAttributes): boolean {
  return resource.storage === 'persistentvolumeclaims' && operation === 'UPDATE' && subresource === '';
}

function sizeOf({ spec }: ApiObject): bigint {
  return parseQuantity(stringAt(objectAt(objectAt({ spec }, 'spec').resources, 'requests'), 'storage'))?.nano ?? 0n;
}

function classOf({ spec, metadata }: ApiObject): string {
  return metadata.annotations?.[FORMER_CLASS] ?? stringAt(spec, 'storageClassName');
}
