import { OperatorError } from '../../base/operator-error.js';
import { apiVersionOf, type KindRef } from './kind-ref.js';
import type { KubeObject, OwnerReference, ReadonlyDeep } from '../objects/kube-object.js';

/** Returns the reference that makes `owner` the managing controller of a child, like metav1.NewControllerRef. */
export function controllerReference(kind: KindRef, owner: ReadonlyDeep<KubeObject>): OwnerReference {
  const { name, uid } = owner.metadata;
  if (uid === undefined) {
    throw new OperatorError(`${kind.kind} ${name} has no uid and cannot own objects`, { code: 'E_NO_UID' });
  }
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Returns the reference of the managing controller, if any. */
export function controllerOf(object: ReadonlyDeep<KubeObject>): Readonly<OwnerReference> | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/**
 * Rejects an owner that the garbage collector would treat as absent, deleting the child: one in another namespace, or
 * a namespaced owner of a cluster-scoped child.
 */
export function assertOwnership(
  owner: ReadonlyDeep<KubeObject>,
  ownerKind: KindRef,
  child: ReadonlyDeep<KubeObject>,
  childKind: KindRef,
): void {
  if (ownerKind.scope === 'Cluster') return;
  const ownerName = `${ownerKind.kind} ${owner.metadata.namespace}/${owner.metadata.name}`;
  const hint = 'own only objects in the same namespace; delete other objects in a @Finalizer method';
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
