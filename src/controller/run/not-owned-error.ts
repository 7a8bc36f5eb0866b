import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { keyOf } from '../../api/objects/object-key.js';
import { OperatorError } from '../../base/operator-error.js';

/** Thrown by `apply` when an object of that name exists that this operator did not create; nothing has been written. */
export class NotOwnedError extends OperatorError {
  constructor(kind: KindRef, existing: ReadonlyDeep<KubeObject>, owner: ReadonlyDeep<KubeObject>) {
    const { name, namespace } = existing.metadata;
    const ownerKey = keyOf(owner.metadata.name, owner.metadata.namespace);
    super(
      `${kind.kind} ${keyOf(name, namespace)} already exists and was not created for ${owner.kind ?? 'object'} ${ownerKey}`,
      {
        code: 'E_NOT_OWNED',
        hint: `use another name, delete that ${kind.kind}, or take it over with ctx.apply(${kind.kind}, …, { adopt: true })`,
      },
    );
  }
}
