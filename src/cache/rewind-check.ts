import type { ConnectionStatus } from './connection-status.js';
import type { KindRef } from '../api/kinds/kind-ref.js';
import type { ListWatcher, WatchScope } from './list-watcher.js';
import { isNewer } from './resource-version.js';
import type { VersionedStore } from './versioned-store.js';

export interface RewindCheckOptions {
  readonly kind: KindRef;
  readonly scope: WatchScope;
  readonly status: ConnectionStatus;
}

/**
 * Finds out whether the server is older than the store after a watch that failed or ended before its time: etcd may have
 * been restored from a backup meanwhile, and behind a load balancer another server may respond.
 *
 * Such a server accepts a watch at the version of the store, and sends no events until it reaches that version.
 */
export class RewindCheck {
  private isNeeded = false;

  constructor(
    private readonly client: Pick<ListWatcher, 'currentVersion'>,
    private readonly store: Pick<VersionedStore, 'resourceVersion'>,
    private readonly options: RewindCheckOptions,
  ) {}

  /** Must be called when a watch has failed or ended before its time. */
  watchInterrupted(): void {
    this.isNeeded = true;
    this.options.status.interrupted();
  }

  /** Must be called after a list, which shows what was restored. */
  listed(): void {
    this.isNeeded = false;
  }

  /** Requests the version of the server, if a watch was interrupted since the last check. */
  async isRewound(signal: AbortSignal): Promise<boolean> {
    if (!this.isNeeded) return false;
    const { kind, scope } = this.options;
    const current = await this.client.currentVersion(kind, { ...scope, signal });
    this.isNeeded = false;
    return isNewer(this.store.resourceVersion, current);
  }
}
