import type { Clock } from '../base/clock.js';
import type { InspectedManager } from '../manager/debug/debug-state.js';
import { allCacheUsages, type CacheUsage } from '../manager/informers/cache-usage.js';
import type { ShardState } from '../manager/sharding/owned-slots.js';
import type { WebhooksState } from '../manager/webhooks/webhooks-state.js';
import type { LeadershipState } from './wire/runtime.js';

/** A measurement blocks the event loop for about 10 ms per cache, so all users share one of this age. */
const MEASURED_MS = 10_000;

/** The state of this process as the manager knows it. */
export class Replica {
  private measured: { readonly atMs: number; readonly caches: readonly CacheUsage[] } | undefined;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly isElected: boolean,
    private readonly manager: () => InspectedManager | undefined,
  ) {}

  get lease(): LeadershipState {
    return { isElected: this.isElected, isLeader: this.manager()?.isLeading() ?? false };
  }

  get shards(): ShardState | undefined {
    return this.manager()?.shards();
  }

  get webhooks(): WebhooksState | undefined {
    return this.manager()?.webhooks();
  }

  /** The objects and sizes of the caches, the largest first. */
  get caches(): readonly CacheUsage[] {
    const atMs = this.clock.monotonic();
    if (this.measured && atMs - this.measured.atMs < MEASURED_MS) return this.measured.caches;
    const manager = this.manager();
    const caches = manager ? allCacheUsages(manager.controllers(), manager.others) : [];
    this.measured = { atMs, caches };
    return caches;
  }
}
