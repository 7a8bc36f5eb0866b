import { keyOf } from '../../api/objects/object-key.js';
import { controllerOf } from '../../api/kinds/owner-reference.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import type { ClusterClient } from './cluster-client.js';
import { follow } from './follow.js';
import { ReconcileQueue } from './reconcile-queue.js';
import type { ControllerRefManager } from './controller-ref-manager.js';

export interface OwnerLoopOptions {
  /** Called with keys of objects that are deleted or terminating. */
  readonly onDeleted?: (key: string) => void;
  /** Adopts and releases dependents of the object before each reconciliation. */
  readonly refs?: ControllerRefManager;
}

/** Reconciles each object of a resource when it or one of its dependents changes. */
export class OwnerLoop {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];

  constructor(
    private readonly client: ClusterClient,
    private readonly owner: Resource,
    owned: readonly Resource[],
    private readonly reconcile: (object: ApiObject) => void,
    private readonly options: OwnerLoopOptions = {},
  ) {
    this.queue = new ReconcileQueue(owner.plural, client.clock, client.logger, (key) => this.reconcileKey(key));
    this.unsubscribe = [
      follow(client.store, owner.storage, ({ current }) => this.queue.add(current.key)),
      ...owned.map(({ storage }) =>
        follow(client.store, storage, ({ type, current, previous }) => {
          this.enqueueOwner(current.object);
          if (previous) this.enqueueOwner(previous.object);
          if (type !== 'DELETED') for (const one of options.refs?.ownersOf(current.object) ?? []) this.add(one);
        }),
      ),
    ];
  }

  /** Queues every object. */
  addAll(): void {
    for (const object of this.client.list(this.owner)) this.add(object);
  }

  add({ metadata }: ApiObject): void {
    this.queue.add(keyOf(metadata.name, metadata.namespace));
  }

  addAfter({ metadata }: ApiObject, delayMs: number): void {
    this.queue.addAfter(keyOf(metadata.name, metadata.namespace), Math.max(0, delayMs));
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private reconcileKey(key: string): void {
    const object = this.client.get(this.owner, key);
    if (!object || object.metadata.deletionTimestamp !== undefined) {
      this.options.onDeleted?.(key);
      return;
    }
    this.options.refs?.claim(object);
    this.reconcile(object);
  }

  private enqueueOwner(object: ApiObject): void {
    const owner = controllerOf(object);
    if (owner?.kind === this.owner.kind) this.queue.add(keyOf(owner.name, object.metadata.namespace));
  }
}
