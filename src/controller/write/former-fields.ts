import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { controllerOf } from '../../api/kinds/owner-reference.js';
import { isJsonObject } from '../../base/json-object.js';
import { managersOf, type ManagedFields } from '../../client/fields/field-ownership.js';
import { readLive } from '../read/read-live.js';
import { LruMap } from '../run/lru-map.js';
import type { ReconcileClient } from '../run/reconcile-client.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import { isOwnedBy, type Ownership } from './child-ownership.js';
import type { ObjectWriter } from './object-writer.js';

const MOST_TAKEN = 100_000;

/**
 * Takes over the fields that an earlier operator has written by updates.
 *
 * Flow: before the first apply of an object in this process, its managedFields are read. The fields of the former managers
 * become fields that the controller has applied, so that the apply removes those that the desired object does not contain. One
 * apply changes the object, as `csaupgrade` of client-go does it.
 * Assumptions: the former operator no longer runs.
 */
export class FormerFields {
  private readonly taken = new LruMap<true>(MOST_TAKEN);

  constructor(
    private readonly formerManagers: readonly string[],
    private readonly client: ReconcileClient,
    private readonly writer: Pick<ObjectWriter, 'patch'>,
  ) {}

  /** Returns whether an object, or one that is not cached, may still have fields of a former manager. */
  mayHave(cached: ReadonlyDeep<KubeObject> | undefined): boolean {
    return this.formerManagers.length > 0 && this.taken.get(cached?.metadata.uid ?? '') === undefined;
  }

  /** Takes over the fields of an object that exists and that the apply may write. Rejects with a ConflictError if it changes. */
  async take(
    request: ReconcileRequest,
    kind: KindRef,
    { metadata: { name = '', namespace } }: Desired<KubeObject>,
    { owner, isOwned, adopt, manager }: Ownership & { readonly adopt: boolean; readonly manager: string },
  ): Promise<void> {
    const live = await readLive(this.client.for(request), kind, name, { namespace });
    if (!live || (isOwned && !isOwnedBy(live, owner) && !(adopt && !controllerOf(live)))) return;
    const managedFields = takenOver(managersOf(live), this.formerManagers, manager);
    if (managedFields) {
      const { resourceVersion } = live.metadata;
      await this.writer.patch(request, kind, name, { metadata: { managedFields, resourceVersion } }, { namespace });
      request.log.info('Took over the fields of a former field manager', { kind: kind.kind, namespace, name });
    }
    this.taken.set(live.metadata.uid ?? '', true);
  }
}

/** Returns the entries with one of the manager in place of those of former managers; undefined without such entries. */
function takenOver(
  entries: readonly ManagedFields[],
  formerManagers: readonly string[],
  manager: string,
): readonly ManagedFields[] | undefined {
  const isFormer = (entry: ManagedFields): boolean =>
    entry.operation === 'Update' && !entry.subresource && formerManagers.includes(entry.manager ?? '');
  const isOwn = (entry: ManagedFields): boolean =>
    entry.operation === 'Apply' && !entry.subresource && entry.manager === manager;
  const former = entries.filter(isFormer);
  const [first] = former;
  if (!first) return undefined;
  const own = entries.find(isOwn);
  const fieldsV1 = [...(own ? [own] : []), ...former].map((entry) => entry.fieldsV1).reduce(union);
  const others = entries.filter((entry) => !isFormer(entry) && !isOwn(entry));
  return [...others, { ...(own ?? first), manager, operation: 'Apply', fieldsV1 }];
}

/** The union of two sets of fields. */
function union(set: unknown, other: unknown): unknown {
  if (!isJsonObject(set) || !isJsonObject(other)) return set ?? other;
  const added = Object.entries(other).map(([element, fields]) => [
    element,
    Object.hasOwn(set, element) ? union(set[element], fields) : fields,
  ]);
  return { ...set, ...(Object.fromEntries(added) as object) };
}
