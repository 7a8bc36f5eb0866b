import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, OwnerReference, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { keyOf } from '../../api/objects/object-key.js';
import { OperatorError } from '../../base/operator-error.js';

/** Thrown by `apply` when another controller owns the object; nothing has been written. */
export class AlreadyOwnedError extends OperatorError {
  constructor(
    kind: KindRef,
    child: ReadonlyDeep<KubeObject>,
    /** The controller that owns the object. */
    readonly owner: Readonly<OwnerReference>,
  ) {
    const { name, namespace } = child.metadata;
    super(
      `${kind.kind} ${keyOf(name, namespace)} is already owned by ${owner.kind} ${owner.name} (uid ${owner.uid}), another controller`,
      { code: 'E_ALREADY_OWNED', hint: `use another name for the object, or delete that ${kind.kind}` },
    );
  }
}
