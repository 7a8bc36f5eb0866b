import { randomNumber } from '../base/random.js';
import { resourceName, type KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import { objectKey } from '../api/objects/object-key.js';
import { Backoff } from '../base/backoff.js';
import { elapsed, type Clock } from '../base/clock.js';
import { thrownError } from '../base/thrown-error.js';
import { isInitialEventsEnd } from '../client/watch/initial-events-end.js';
import type { WatchEventType } from '../client/watch/watch-decoder.js';
import { WatchError } from '../client/watch-error.js';
import type { ConnectionStatus } from './connection-status.js';
import type { ListWatcher, WatchRequest, WatchScope } from './list-watcher.js';
import type { ListedObjects } from './listed-objects.js';
import { readPagedList } from './paged-list.js';
import {
  cannotBeStreamed,
  countsAsFailure,
  delayAfter,
  isExpired,
  isStreamedListRefused,
  isTimeout,
  listTimeoutMs,
  mayHideRestore,
  needsRelist,
} from './retry-policy.js';
import { RewindCheck } from './rewind-check.js';
import type { VersionedStore } from './versioned-store.js';
import { WatchStream } from './watch-stream.js';

const BACKOFF = { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 1, resetAfterMs: 120_000 };

/** The server ends a watch after 5 minutes, or up to twice that so that watches do not all end together. */
const SHORTEST_TIMEOUT_SECONDS = 300;

/** Something between the server and this process may fail every streamed list, even before its first event. */
const ATTEMPTS_PER_PAGED_LIST = 3;

/** A watch that ends earlier is resumed after a delay that grows, whatever it carried. */
const SHORTEST_WATCH_MS = 1_000;

/** The difference between the clocks of server and client when a watch times out. */
const TIMEOUT_TOLERANCE_MS = 1_000;

export interface ReflectorOptions {
  readonly kind: KindRef;
  readonly scope: WatchScope;
  readonly clock: Clock;
  readonly status: ConnectionStatus;
  readonly keepManagedFields?: boolean;
  readonly random?: () => number;
}

/**
 * Keeps a store in sync with the server's objects of one kind and scope.
 *
 * Flow: list, then watch from the list's resourceVersion; a watch that ends is resumed at the last resourceVersion. If
 * the server supports it, the list is the start of the watch (WatchList), which is cheaper for the server than pages.
 * Both are consistent reads without a resourceVersion, because a list from the server's cache may be older than state
 * that was read before a restart or from another server.
 *
 * Guarantees: the store never receives an incomplete list, an ERROR event, or anything but objects of the kind. A new
 * list is requested only if the watch cannot be resumed: 410, "too large resource version", a rejected request, two
 * consecutive idle watches, missed events, a server that is older than the store after a watch that failed or ended early. Failures are
 * retried without limit, 0.8 s to 30 s apart, or after the server's Retry-After up to 60 s; lists that were too slow get a
 * longer time limit. LivenessProbe finds a dead watch on an open connection.
 *
 * Errors: each is reported to `status` once.
 */
export class Reflector<T extends KubeObject = KubeObject> {
  private state: 'list' | 'watch' = 'list';
  private readonly backoff: Backoff;
  private readonly random: () => number;
  private readonly resource: string;
  private readonly rewind: RewindCheck;
  private canStreamList = true;
  private shouldPageNext = false;
  private hasBookmarks = false;
  /**
   * True if the next list must be compared with the store in full: after a list that went back, after missed events, and
   * after a watch that failed or ended early, because etcd may have been restored meanwhile.
   */
  private isInDoubt = false;
  private failuresInARow = 0;
  /** Consecutive failures to list; a failed watch before them does not count. */
  private failedLists = 0;
  /** Lists that were slower than their time limit, since the last one that succeeded. */
  private slowLists = 0;
  /** True if the next request must be a list. */
  private mustList = false;
  private openedAt = 0;
  private current: WatchStream | undefined;
  private lastEventAt: number | undefined;

  constructor(
    private readonly client: ListWatcher,
    private readonly store: VersionedStore<T>,
    private readonly options: ReflectorOptions,
  ) {
    this.random = options.random ?? (() => randomNumber('reflector'));
    this.backoff = new Backoff(BACKOFF, () => options.clock.monotonic(), this.random);
    this.resource = resourceName(options.kind);
    this.rewind = new RewindCheck(client, store, options);
  }

  /** Resolves once the signal is aborted; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await (this.state === 'list' ? this.list(signal) : this.watch(signal));
      } catch (error) {
        if (!(error instanceof RewoundListError)) await this.recover(error, signal);
      }
    }
  }

  /** Lists again instead of continuing the watch. Without effect during a list. */
  relist(): void {
    if (!this.isFollowing()) return;
    this.mustList = true; // also between two watches
    this.isInDoubt = true;
    this.current?.end(new WatchError('the watch missed events', 'missed'));
  }

  /** The milliseconds since the last list or event of a watch, bookmarks included; undefined before the first. */
  get msSinceLastEvent(): number | undefined {
    return this.lastEventAt === undefined ? undefined : this.options.clock.monotonic() - this.lastEventAt;
  }

  private async list(signal: AbortSignal): Promise<void> {
    const listed = this.store.beginReplace(this.isInDoubt);
    if (this.isStreamingList) await this.streamList(listed, signal);
    else await this.pageList(listed, signal);
  }

  private get isStreamingList(): boolean {
    const isPagedTurn = this.failedLists % ATTEMPTS_PER_PAGED_LIST === ATTEMPTS_PER_PAGED_LIST - 1;
    return this.canStreamList && !this.shouldPageNext && !isPagedTurn;
  }

  private async pageList(listed: ListedObjects<T>, signal: AbortSignal): Promise<void> {
    this.replace(listed, await readPagedList(this.client, { ...this.options, ...this.listLimit() }, listed, signal));
    this.options.status.connected(); // the watch is opened only later
  }

  private async streamList(listed: ListedObjects<T>, signal: AbortSignal): Promise<void> {
    const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', ...this.listLimit() } as const;
    await this.stream(query, signal, (type, object) => {
      if (this.isFollowing()) this.follow(type, object);
      else if (type === 'BOOKMARK') this.endInitialEvents(listed, object);
      else if (type === 'DELETED') listed.remove(objectKey(object));
      else listed.add(object as T);
    });
    if (this.isFollowing()) return;
    this.shouldPageNext = true;
    throw new WatchError('the watch ended before its initial events did', 'incomplete');
  }

  private listLimit(): { readonly timeout?: number } {
    const timeout = listTimeoutMs(this.slowLists);
    return timeout === undefined ? {} : { timeout };
  }

  private isFollowing(): boolean {
    return this.state === 'watch';
  }

  private endInitialEvents(listed: ListedObjects<T>, bookmark: KubeObject): void {
    if (!isInitialEventsEnd(bookmark)) {
      throw new WatchError('the server does not mark the end of the initial events', 'incomplete');
    }
    const { resourceVersion = '' } = bookmark.metadata;
    if (resourceVersion === '') {
      throw new WatchError('the bookmark after the initial events has no resourceVersion', 'incomplete');
    }
    this.replace(listed, resourceVersion);
    this.hasBookmarks = true;
    this.options.status.recovered();
  }

  private replace(listed: ListedObjects<T>, resourceVersion: string): void {
    if (!this.isInDoubt && this.store.isRewoundBy(resourceVersion)) {
      this.isInDoubt = true;
      throw new RewoundListError();
    }
    this.store.replace(listed, resourceVersion);
    this.isInDoubt = false;
    this.lastEventAt = this.options.clock.monotonic();
    this.state = 'watch';
    this.mustList = false;
    this.rewind.listed();
    this.shouldPageNext = false;
    this.failuresInARow = 0;
    this.failedLists = 0;
    this.slowLists = 0;
  }

  private async watch(signal: AbortSignal): Promise<void> {
    if ((await this.rewind.isRewound(signal)) || this.mustList) {
      this.state = 'list';
      return;
    }
    const query = {
      resourceVersion: this.store.resourceVersion,
      onOpen: () => {
        this.options.status.connected();
      },
    };
    await this.stream(query, signal, (type, object) => {
      this.follow(type, object);
    });
    if (this.isShort()) throw new WatchError('the server ended the watch immediately', 'closed');
    this.progressed();
  }

  private async stream(
    query: Partial<Omit<WatchRequest, keyof WatchScope>>,
    signal: AbortSignal,
    onEvent: (type: WatchEventType, object: KubeObject) => void,
  ): Promise<void> {
    const { kind, scope, clock, keepManagedFields = false } = this.options;
    const timeoutSeconds = Math.round(SHORTEST_TIMEOUT_SECONDS * (1 + this.random()));
    const request = { ...query, allowWatchBookmarks: true, timeoutSeconds, keepManagedFields };
    const { hasBookmarks } = this;
    const resourceVersion = (): string | undefined => (this.isFollowing() ? this.store.resourceVersion : undefined);
    const options = { kind, scope, clock, request, resourceVersion, hasBookmarks, onEvent };
    const stream = new WatchStream(this.client, options);
    this.current = stream;
    this.openedAt = clock.monotonic();
    try {
      await stream.run(signal);
    } catch (error) {
      if (error instanceof RewoundListError) throw error;
      if (this.state === 'list' && (stream.events > 0 || cannotBeStreamed(error))) this.shouldPageNext = true;
      throw error;
    }
    const isEarly = this.openMs() < timeoutSeconds * 1000 - TIMEOUT_TOLERANCE_MS;
    if (this.isFollowing() && isEarly) this.watchInterrupted();
  }

  private watchInterrupted(): void {
    this.isInDoubt = true;
    this.rewind.watchInterrupted();
  }

  /** The duration of the current watch. */
  private openMs(): number {
    return this.options.clock.monotonic() - this.openedAt;
  }

  private isShort(): boolean {
    return this.openMs() < SHORTEST_WATCH_MS;
  }

  private follow(type: WatchEventType, object: KubeObject): void {
    this.lastEventAt = this.options.clock.monotonic();
    if (type === 'BOOKMARK') {
      this.hasBookmarks = true;
      this.store.bookmark(object.metadata.resourceVersion ?? '');
    } else this.store.apply(type, object as T);
    this.failuresInARow = 0;
    if (!this.isShort()) this.progressed();
  }

  /** Called when the watch works: earlier failures are resolved. */
  private progressed(): void {
    this.failuresInARow = 0;
    this.options.status.recovered();
  }

  private judgeWatch(error: Error): void {
    if (mayHideRestore(error)) this.watchInterrupted();
    if (needsRelist(error, this.failuresInARow)) this.state = 'list';
  }

  private async recover(cause: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { clock, status } = this.options;
    const error = thrownError(cause);
    if (this.state === 'list' && this.isStreamingList && isStreamedListRefused(error)) {
      this.canStreamList = false;
      return;
    }
    const attempt = `cannot ${this.state} ${this.resource}`;
    if (countsAsFailure(error)) this.failuresInARow += 1;
    if (this.state === 'list') {
      this.failedLists += 1;
      if (isTimeout(error)) this.slowLists += 1;
    } else this.judgeWatch(error);
    if (!isExpired(error)) status.failed(attempt, error);
    await elapsed(clock, delayAfter(error, this.backoff.next()), signal);
  }
}

/** A list shows an earlier state than the store, so objects of equal version may differ: it must be read again. */
class RewoundListError extends Error {}
