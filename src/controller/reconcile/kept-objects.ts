import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { keyOf } from '../../api/objects/object-key.js';
import { deepClone } from '../../base/deep-clone.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Context } from '../../resource/context.js';
import type { DependentModel } from '../../resource/kinds/dependents.js';
import { isOwnedBy } from '../write/child-ownership.js';
import { desiredAddress } from './desired-address.js';
import type { ReconcileScope } from './reconcile-scope.js';

/** Names the owner of an object without an owner reference to it. */
const KEPT_ANNOTATION = 'kindwright.dev/kept-for';

/**
 * Writes the objects of `@Dependent` methods with `onDelete: 'keep'`.
 *
 * They have no owner reference: a garbage collector that deletes an owner in the foreground does not wait for the operator. An
 * annotation names the owner, which takes them over when it is created again; those of another owner are never changed.
 */
export class KeptObjects {
  constructor(private readonly ownerKind: KindRef) {}

  async write(
    { context, owner }: ReconcileScope,
    { kind, options }: DependentModel,
    desired: Desired<KubeObject>,
  ): Promise<KubeObject> {
    const { name, at } = desiredAddress(desired);
    await context.watch(kind, { name, ...at });
    const existing = await context.get(kind, name, at);
    const isOwned = existing !== undefined && isOwnedBy(existing, owner);
    const keptFor = `${this.ownerKind.kind}.${this.ownerKind.group} ${keyOf(owner.metadata.name, owner.metadata.namespace)}`;
    if (existing && !isOwned && existing.metadata.annotations?.[KEPT_ANNOTATION] !== keptFor)
      throw foreign(kind, existing, keptFor);
    const annotations = { ...desired.metadata.annotations, [KEPT_ANNOTATION]: keptFor };
    const marked = { ...desired, metadata: { ...desired.metadata, annotations } };
    if (options.createOnly !== true) return context.apply(kind, marked, { owned: false });
    if (!existing) return context.create(kind, marked, { owned: false });
    return isOwned ? release(context, kind, existing, owner, keptFor) : (deepClone(existing) as KubeObject);
  }
}

/** Removes the owner reference of an object that an earlier release of the class has created. */
function release(
  context: Context,
  kind: KindRef,
  { metadata }: ReadonlyDeep<KubeObject>,
  owner: ReadonlyDeep<KubeObject>,
  keptFor: string,
): Promise<KubeObject> {
  const { name, namespace, resourceVersion, ownerReferences = [] } = metadata;
  const others = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
  const change = {
    metadata: { resourceVersion, ownerReferences: others, annotations: { [KEPT_ANNOTATION]: keptFor } },
  };
  return context.patch(kind, name, change, namespace === undefined ? {} : { namespace });
}

function foreign(kind: KindRef, { metadata }: ReadonlyDeep<KubeObject>, keptFor: string): OperatorError {
  const { name, namespace, annotations } = metadata;
  const other = annotations?.[KEPT_ANNOTATION];
  const creator = other === undefined ? `was not created for ${keptFor}` : `is kept for ${other}`;
  return new OperatorError(`${kind.kind} ${keyOf(name, namespace)} already exists and ${creator}`, {
    code: 'E_NOT_OWNED',
    hint: `use another name, delete that ${kind.kind}, or give it to the object: kubectl annotate --overwrite ${kind.plural} ${name} '${KEPT_ANNOTATION}=${keptFor}'`,
  });
}
