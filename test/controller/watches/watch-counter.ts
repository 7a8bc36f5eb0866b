import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { ListWatcher } from '../../../src/cache/list-watcher.js';

/** A ListWatcher that counts the watches which are open now, and those that were ever requested. */
export class WatchCounter implements ListWatcher {
  private readonly open = new Map<string, number>();
  private readonly all = new Map<string, number>();

  constructor(private readonly client: ListWatcher) {}

  opened({ plural }: KindRef): number {
    return this.open.get(plural) ?? 0;
  }

  requested({ plural }: KindRef): number {
    return this.all.get(plural) ?? 0;
  }

  readonly list: ListWatcher['list'] = (kind, request) => this.client.list(kind, request);

  readonly currentVersion: ListWatcher['currentVersion'] = (kind, request) => this.client.currentVersion(kind, request);

  readonly streamWatch: ListWatcher['streamWatch'] = async (kind, request, onEvent) => {
    this.all.set(kind.plural, this.requested(kind) + 1);
    this.open.set(kind.plural, this.opened(kind) + 1);
    try {
      await this.client.streamWatch(kind, request, onEvent);
    } finally {
      this.open.set(kind.plural, this.opened(kind) - 1);
    }
  };
}
