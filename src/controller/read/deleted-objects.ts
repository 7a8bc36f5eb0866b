import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { objectKey, splitKey, type ObjectKey } from '../../api/objects/object-key.js';
import type { ResourceModel } from '../../resource/model.js';
import { overridesDeleted } from '../../resource/instances/reconciled-instance.js';
import { readLive } from './read-live.js';
import type { ReconcileClient } from '../run/reconcile-client.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';

type Deleted = ReadonlyDeep<KubeObject>;

/** Most deleted objects of one name that are kept for `deleted`. */
const MOST_DELETED = 100;

/** The deletions that a controller has not handled yet. They outlive a version of its class. */
export class Deletions {
  /** The last known states, in the order of the deletions, until they were passed to `deleted`. */
  readonly unnotified = new Map<ObjectKey, readonly Deleted[]>();
  /** The uids of the objects with finalizers that may still exist. */
  readonly departed = new Map<ObjectKey, string | undefined>();
}

/**
 * The objects that are no longer in the cache of a controller, until their deletion was handled.
 *
 * A cache with selectors is also left by objects that still exist, because they no longer match. Their finalizers must be
 * removed then: the controller gets no further event of them, so they could not be deleted any more.
 */
export class DeletedObjects {
  private readonly unnotified: Deletions['unnotified'];
  private readonly departed: Deletions['departed'];
  private readonly notifiesDeleted: boolean;
  private readonly hasSelectors: boolean;

  constructor(
    private readonly model: ResourceModel,
    private readonly client: ReconcileClient,
    { unnotified, departed } = new Deletions(),
  ) {
    this.unnotified = unnotified;
    this.departed = departed;
    const { part } = model.ownKind;
    this.notifiesDeleted = overridesDeleted(model);
    this.hasSelectors = part?.labelSelector !== undefined || part?.fieldSelector !== undefined;
  }

  /** Adds the last known state of an object. `hasFinalizers`: it has finalizers of the controller. */
  add(object: Deleted, hasFinalizers: boolean): void {
    const key = objectKey(object);
    if (hasFinalizers && this.hasSelectors) this.departed.set(key, object.metadata.uid);
    if (this.notifiesDeleted) this.unnotified.set(key, [...this.othersThan(key, object), object].slice(-MOST_DELETED));
  }

  /** Forgets the objects that another process reconciles now. */
  retain(owns: (key: ObjectKey) => boolean): void {
    for (const objects of [this.unnotified, this.departed])
      for (const key of [...objects.keys()]) if (!owns(key)) objects.delete(key);
  }

  /** Returns the objects that are to be passed to `deleted`. */
  toNotify(key: ObjectKey): readonly Deleted[] {
    return this.unnotified.get(key) ?? [];
  }

  /** Must be called when `deleted` has handled an object. */
  notified(key: ObjectKey, object: Deleted): void {
    const others = this.othersThan(key, object);
    if (others.length > 0) this.unnotified.set(key, others);
    else this.unnotified.delete(key);
  }

  /**
   * Returns the object that has left the cache with finalizers, as the server has it; undefined if it was deleted or
   * matches again.
   */
  async readDeparted(request: ReconcileRequest): Promise<KubeObject | undefined> {
    const { key } = request;
    if (!this.departed.has(key)) return undefined;
    const { kind, ownKind } = this.model;
    const { name, namespace } = splitKey(key);
    const options = { namespace: namespace === '' ? undefined : namespace };
    const live = await readLive(this.client.for(request), kind, name, options);
    if (live && live.metadata.uid === this.departed.get(key) && ownKind.part?.matches(live) !== true) return live;
    this.departed.delete(key);
    return undefined;
  }

  /** Must be called when the object that `readDeparted` has returned has none of the finalizers any more. */
  released(key: ObjectKey): void {
    this.departed.delete(key);
  }

  private othersThan(key: ObjectKey, { metadata: { uid } }: Deleted): readonly Deleted[] {
    return this.toNotify(key).filter(({ metadata }) => metadata.uid !== uid);
  }
}
