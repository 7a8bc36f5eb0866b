import { createHash } from 'node:crypto';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { objectKey, splitKey } from '../../api/objects/object-key.js';
import type { ConflictError } from '../../client/api-error.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import { isOwnedBy, type Ownership } from './child-ownership.js';
import { LruMap } from '../run/lru-map.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';

/** Longest name of a field manager. */
const NAME_LENGTH = 128;
const HASH_LENGTH = 8;

const MOST_REPORTED = 1_000;

/**
 * The field managers of objects that are not owned, which several reconciled objects may share.
 *
 * Each reconciled object applies its fields as a manager of its own. With one manager for all, the apply of each object
 * would remove the fields of the others.
 */
export class SharedFields {
  private readonly reported = new LruMap<true>(MOST_REPORTED);

  constructor(
    private readonly ownerKind: KindRef,
    private readonly caches: Pick<CachedKinds, 'find'>,
    private readonly controllerManager: string,
  ) {}

  /** Returns the field manager of a reconciled object, such as `podset:team/web`; with a hash if it would be too long. */
  managerOf(owner: ReadonlyDeep<KubeObject>): string {
    const name = `${this.prefix}${objectKey(owner)}`;
    if (name.length <= NAME_LENGTH) return name;
    const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
    return `${name.slice(0, NAME_LENGTH - HASH_LENGTH - 1)}-${hash}`;
  }

  /** An object that was applied as owned before, or the reverse, has another manager. */
  formerManager({ owner, isOwned }: Ownership): (applied: ReadonlyDeep<KubeObject>) => string | undefined {
    if (isOwned) return () => this.managerOf(owner);
    return (applied) => (isOwnedBy(applied, owner) ? this.controllerManager : undefined);
  }

  /** Logs once for each object that another existing object of the kind applies a different value to one of its fields. */
  report(request: ReconcileRequest, object: string, { details }: ConflictError): void {
    for (const { message = '', field } of details?.causes ?? []) {
      const [, manager = ''] = /^conflict with "([^"]*)"/.exec(message) ?? [];
      const other = this.ownerOf(manager);
      if (other === undefined || this.reported.get(object)) continue;
      this.reported.set(object, true);
      request.log.warn(
        'Two objects apply different values to a field of one object; each replaces the value of the other',
        {
          ...{ object, field, other },
          hint: 'apply different fields in each, or apply the object in one of them only',
        },
      );
    }
  }

  private get prefix(): string {
    return `${this.controllerManager}:`;
  }

  /** Returns the key of the object that has the manager, if it exists. */
  private ownerOf(manager: string): string | undefined {
    if (!manager.startsWith(this.prefix)) return undefined;
    const key = manager.slice(this.prefix.length);
    const { name, namespace } = splitKey(key);
    const owner = this.caches.find(this.ownerKind, name, namespace === '' ? undefined : namespace);
    return owner || manager.length === NAME_LENGTH ? key : undefined;
  }
}
