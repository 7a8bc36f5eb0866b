import { forbidden, notFound, type StatusError } from '../errors/status-error.js';
import type { ApiObject } from '../objects/api-object.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { AdmissionAttributes } from '../registry/admission.js';
import type { AdmissionPlugin } from './admission-plugin.js';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);
const NAMESPACES = { group: '', plural: 'namespaces' };

/** Rejects new objects in missing or terminating namespaces, and the deletion of system namespaces. */
export class NamespaceLifecycle implements AdmissionPlugin {
  readonly name = 'NamespaceLifecycle';

  constructor(private readonly store: ObjectStore) {}

  mutate({ operation, resource, object }: AdmissionAttributes): ApiObject {
    const { name, namespace = '' } = object.metadata;
    if (operation === 'DELETE' && resource.storage === 'namespaces' && IMMORTAL.has(name)) {
      throw forbidden(NAMESPACES, name, 'this namespace may not be deleted');
    }
    if (operation !== 'CREATE' || !resource.namespaced) return object;
    const home = this.store.get('namespaces', namespace);
    if (!home) throw notFound(NAMESPACES, namespace);
    if (home.object.metadata.deletionTimestamp !== undefined) throw terminating(resource, name, namespace);
    return object;
  }
}

function terminating(resource: AdmissionAttributes['resource'], name: string, namespace: string): StatusError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return forbidden(resource, name, why, [cause]);
}
