import { apiVersionOf, kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { keyOf } from '../../api/objects/object-key.js';
import { ForbiddenError, isObjectMissing } from '../../client/api-error.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import type { ObjectWriter } from './object-writer.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';

type Child = Pick<ReadonlyDeep<KubeObject>, 'metadata'>;

/**
 * Updates the version in a child's reference to its owner. The garbage collector cannot find an owner by a version that
 * the kind no longer serves, and would keep the child for ever.
 */
export class OwnerVersion {
  private readonly reported = new Set<string>();
  /** The children with an old version, by the uid of their owner. */
  private readonly outdated = new Map<string, Map<string, { readonly kind: KindRef; readonly child: Child }>>();

  constructor(
    private readonly ownerKind: KindRef,
    private readonly writer: ObjectWriter,
    private readonly caches: Pick<CachedKinds, 'find'>,
  ) {}

  /** Must be called with each cached child whose reference to an owner of the kind has another version. */
  addOutdated(kind: KindRef, child: Child, ownerUid: string): void {
    const children = this.outdated.get(ownerUid) ?? new Map<string, { kind: KindRef; child: Child }>();
    const { name, namespace } = child.metadata;
    children.set(`${kindKey(kind)}/${keyOf(name, namespace)}`, { kind, child });
    this.outdated.set(ownerUid, children);
  }

  /** Updates the children of an owner that were added, such as those with a generated name, which no reconcile writes again. */
  async updateOutdated(request: ReconcileRequest, owner: ReadonlyDeep<KubeObject>): Promise<void> {
    const { uid = '' } = owner.metadata;
    const children = this.outdated.get(uid);
    if (!children) return;
    for (const { kind, child } of children.values()) {
      const { name, namespace } = child.metadata;
      const present = this.caches.find(kind, name, namespace);
      try {
        if (present) await this.update(request, kind, present, owner);
      } catch (error) {
        if (!isObjectMissing(error)) throw error;
      }
    }
    this.outdated.delete(uid);
  }

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
