import { apiVersionOf, type KindRef } from '../api/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/kube-object.js';
import { keyOf } from '../api/object-key.js';
import { ForbiddenError } from '../client/api-error.js';
import type { ObjectWriter } from './object-writer.js';
import type { ReconcileRequest } from './reconcile-request.js';

/**
 * Updates the version in a child's reference to its owner. The garbage collector cannot find an owner by a version that
 * the kind no longer serves, and would keep the child for ever.
 */
export class OwnerVersion {
  private readonly reported = new Set<string>();

  constructor(
    private readonly ownerKind: KindRef,
    private readonly writer: ObjectWriter,
  ) {}

  /** Returns the child with a reference in the version of the owner's class. A missing permission is logged once for each kind. */
  async update(
    request: ReconcileRequest,
    kind: KindRef,
    child: ReadonlyDeep<KubeObject>,
    owner: ReadonlyDeep<KubeObject>,
  ): Promise<ReadonlyDeep<KubeObject>> {
    const apiVersion = apiVersionOf(this.ownerKind);
    const { name, namespace, ownerReferences = [] } = child.metadata;
    const index = ownerReferences.findIndex(({ uid }) => uid === owner.metadata.uid);
    if (index < 0 || ownerReferences[index]?.apiVersion === apiVersion) return child;
    const path = `/metadata/ownerReferences/${index}`;
    const patch = [
      { op: 'test', path: `${path}/uid`, value: owner.metadata.uid },
      { op: 'replace', path: `${path}/apiVersion`, value: apiVersion },
    ];
    try {
      return await this.writer.patch(request, kind, name, patch, { namespace, type: 'json' });
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error;
      this.report(request, `${kind.kind} ${keyOf(name, namespace)}`, kind);
      return child;
    }
  }

  private report({ log }: ReconcileRequest, object: string, kind: KindRef): void {
    if (this.reported.has(kind.kind)) return;
    this.reported.add(kind.kind);
    log.warn('The owner reference of an object has an old version and cannot be updated', {
      object,
      hint: `add the verb patch for ${kind.kind}: the object is not deleted with its owner once that version is removed`,
    });
  }
}
