import { OperatorError } from '../base/operator-error.js';
import { apiVersionOf, type KindRef } from './kind-ref.js';
import type { KubeObject, OwnerReference } from './kube-object.js';

/** The reference that makes `owner` the managing controller of a child, as metav1.NewControllerRef. */
export function controllerReference(kind: KindRef, owner: KubeObject): OwnerReference {
  const { name, uid } = owner.metadata;
  if (uid === undefined) {
    throw new OperatorError(`${kind.kind} ${name} has no uid, so nothing can be owned by it`, { code: 'E_NO_UID' });
  }
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The managing controller's reference, if there is one. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/**
 * Refuses an owner the garbage collector would count as absent, deleting the child: one in another namespace, or a
 * namespaced owner of a cluster-scoped child.
 */
export function checkOwnership(owner: KubeObject, ownerKind: KindRef, child: KubeObject, childKind: KindRef): void {
  if (ownerKind.scope === 'Cluster') return;
  const ownerName = `${ownerKind.kind} ${owner.metadata.namespace}/${owner.metadata.name}`;
  const hint = 'own only objects in the same namespace; clean others up in a @Finalizer method';
  if (childKind.scope === 'Cluster') {
    throw new OperatorError(
      `${ownerName} is namespaced and cannot own the cluster-scoped ${childKind.kind} ${child.metadata.name}`,
      { code: 'E_OWNER_SCOPE', hint },
    );
  }
  if (owner.metadata.namespace !== child.metadata.namespace) {
    throw new OperatorError(
      `${ownerName} cannot own ${childKind.kind} ${child.metadata.namespace ?? ''}/${child.metadata.name} in another namespace`,
      { code: 'E_OWNER_NAMESPACE', hint },
    );
  }
}
