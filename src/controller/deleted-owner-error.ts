import type { KindRef } from '../api/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/kube-object.js';
import { keyOf } from '../api/object-key.js';
import { TerminalError } from '../base/terminal-error.js';

/** Thrown by `apply` and `create` in `deleted()` for an object that the deleted object would own; nothing has been written. */
export class DeletedOwnerError extends TerminalError {
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
