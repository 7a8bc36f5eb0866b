import type { KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import { AppliedFieldsReader, type AppliedFields } from '../client/fields/applied-fields.js';
import { dropManagedFields } from '../client/fields/drop-managed-fields.js';
import { isInitialEventsEnd } from '../client/watch/initial-events-end.js';
import type { WatchEventType } from '../client/watch/watch-decoder.js';
import type { ListRequest, ListWatcher, WatchRequest } from './list-watcher.js';

/**
 * Reads from the first list of an informer which fields the controllers of this program had applied to the objects before
 * this process started.
 *
 * The informer lists and watches through it. Without managers it only passes requests on, because managedFields are
 * expensive to parse. What is known of an object holds for its listed state, and is forgotten with it, or when it is taken.
 */
export class ListedFields implements ListWatcher {
  private readonly managers = new Set<string>();
  private readonly reader = new AppliedFieldsReader();
  private readonly byObject = new WeakMap<ReadonlyDeep<KubeObject>, readonly AppliedFields[]>();
  private hasListed = false;

  constructor(private readonly client: ListWatcher) {}

  /** Adds a field manager, and those with names that start with it and a colon. */
  addManager(manager: string): void {
    this.managers.add(manager);
  }

  /** Returns what was applied to a cached object, and forgets what the given manager has applied. */
  take(object: ReadonlyDeep<KubeObject>, manager: string): readonly AppliedFields[] {
    const applied = this.byObject.get(object) ?? [];
    const others = applied.filter((other) => other.manager !== manager);
    if (others.length > 0) this.byObject.set(object, others);
    else this.byObject.delete(object);
    return applied;
  }

  async list(kind: KindRef, request: ListRequest): ReturnType<ListWatcher['list']> {
    if (!this.isReading(kind)) return this.client.list(kind, request);
    const transform = (item: KubeObject): KubeObject => {
      this.read(item, request);
      return request.transform?.(item) ?? item;
    };
    const list = await this.client.list(kind, { ...request, keepManagedFields: true, transform });
    this.hasListed = true;
    return list;
  }

  currentVersion(...request: Parameters<ListWatcher['currentVersion']>): Promise<string> {
    return this.client.currentVersion(...request);
  }

  streamWatch(
    kind: KindRef,
    request: WatchRequest,
    onEvent: (type: WatchEventType, object: KubeObject) => void,
  ): Promise<void> {
    if (request.sendInitialEvents !== true || !this.isReading(kind))
      return this.client.streamWatch(kind, request, onEvent);
    const keepManagedFields = request.keepManagedFields === true || 'initial';
    return this.client.streamWatch(kind, { ...request, keepManagedFields }, (type, object) => {
      if (type === 'BOOKMARK') this.hasListed ||= isInitialEventsEnd(object);
      else if (!this.hasListed) this.read(object, request);
      onEvent(type, object);
    });
  }

  /** Later, the controllers know themselves what they have applied. */
  private isReading({ part }: KindRef): boolean {
    return this.managers.size > 0 && !this.hasListed && !part?.reduce;
  }

  private read(object: KubeObject, { keepManagedFields }: Pick<ListRequest | WatchRequest, 'keepManagedFields'>): void {
    const applied = this.reader.read(object, (manager) => this.isSelected(manager));
    if (applied && applied.length > 0) this.byObject.set(object, applied);
    if (keepManagedFields !== true) dropManagedFields(object);
  }

  private isSelected(manager: string): boolean {
    return [...this.managers].some((name) => manager === name || manager.startsWith(`${name}:`));
  }
}
