import { apiVersionOf, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { assertOwnership, controllerOf, controllerReference } from '../../api/kinds/owner-reference.js';
import { keyOf } from '../../api/objects/object-key.js';
import { TerminalError } from '../../base/terminal-error.js';
import { AlreadyOwnedError } from '../run/already-owned-error.js';

/** Thrown by `apply` and `create` in `deleted()` for an object that the deleted object would own; nothing has been written. */
class DeletedOwnerError extends TerminalError {
  override readonly code = 'E_OWNER_DELETED';

  constructor(
    kind: KindRef,
    child: { readonly name?: string; readonly generateName?: string; readonly namespace?: string },
    ownerKind: KindRef,
    { metadata: { name, namespace } }: ReadonlyDeep<KubeObject>,
  ) {
    const childKey = keyOf(child.name ?? child.generateName ?? '', child.namespace);
    super(
      `${ownerKind.kind} ${keyOf(name, namespace)} is deleted and cannot own ${kind.kind} ${childKey}: the garbage collector would delete it`,
      {
        hint: `pass { owned: false } in deleted(), or write the ${kind.kind} in reconcile or in a @Finalizer method`,
      },
    );
  }
}

/** The reconciled object, and whether the written object gets an owner reference to it. */
export interface Ownership {
  readonly owner: ReadonlyDeep<KubeObject>;
  readonly isOwned: boolean;
  /** True in `deleted()`, where the owner no longer exists. */
  readonly isOwnerDeleted?: boolean;
}

/**
 * Returns the object to send: with its identity, the owner's namespace by default, and an owner reference if it is owned.
 *
 * @throws OperatorError when the owner cannot own an object in that namespace or scope, or no longer exists.
 */
export function childObject(
  kind: KindRef,
  given: Desired<KubeObject>,
  ownerKind: KindRef,
  { owner, isOwned, isOwnerDeleted }: Ownership,
): Desired<KubeObject> {
  const isNamespaced = kind.scope === 'Namespaced';
  const namespace = given.metadata.namespace ?? owner.metadata.namespace;
  const metadata = { ...given.metadata, ...(isNamespaced && namespace !== undefined && { namespace }) };
  const child = { ...given, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  if (isOwned) {
    assertOwnership(owner, ownerKind, child as KubeObject, kind);
    const others = metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid) ?? [];
    metadata.ownerReferences = [...others, controllerReference(ownerKind, owner)];
  }
  if (isOwnerDeleted === true && isOwnedBy(child as KubeObject, owner))
    throw new DeletedOwnerError(kind, metadata, ownerKind, owner);
  return child;
}

/** Reports whether the object has an owner reference to the owner's uid. */
export function isOwnedBy(object: ReadonlyDeep<KubeObject>, owner: ReadonlyDeep<KubeObject>): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && (object.metadata.ownerReferences?.some((reference) => reference.uid === uid) ?? false);
}

/** @throws AlreadyOwnedError when the object's controller is not the owner. */
export function assertNoOtherController(
  kind: KindRef,
  object: ReadonlyDeep<KubeObject>,
  owner: ReadonlyDeep<KubeObject>,
): void {
  const controller = controllerOf(object);
  if (controller && controller.uid !== owner.metadata.uid) throw new AlreadyOwnedError(kind, object, controller);
}
