import type { KindRef } from '../api/kinds/kind-ref.js';
import { sleep, type Clock } from '../base/clock.js';
import { thrownError } from '../base/thrown-error.js';
import { Watchdog } from '../base/watchdog.js';
import { ApiError, GoneError } from '../client/api-error.js';
import type { WatchEventType } from '../client/watch/watch-decoder.js';
import { WatchError } from '../client/watch-error.js';
import type { ListWatcher, WatchScope } from './list-watcher.js';

/** The silence after which a watch is checked, and then checked again. */
const PROBE_AFTER_MS = 30_000;

/** The longest time until the probe has an event or ends. */
const PROBE_LIMIT_MS = 10_000;

/** The duration of the probe. The server sends the events since the resourceVersion immediately. */
const PROBE_SECONDS = 2;

/** The time in which a live watch receives an event that the probe has received: it may have just happened. */
const DELIVERY_MS = 3_000;

export interface LivenessProbeOptions {
  readonly kind: KindRef;
  readonly scope: WatchScope;
  readonly clock: Clock;
  /** Returns the position of the watch; undefined if it cannot be checked yet. */
  readonly resourceVersion: () => string | undefined;
  /** Called at most once: with GoneError if the resourceVersion has expired, otherwise with WatchError. */
  readonly onDead: (error: Error) => void;
}

/**
 * Finds a dead watch (its connection is open but delivers nothing) by a second watch on another connection.
 *
 * Silence proves nothing: a server can take two minutes until its first bookmark. Nor does a newer resourceVersion,
 * which counts the writes of all kinds. The second watch starts at the resourceVersion of the first, with the same
 * selectors and therefore the same permissions, and ends after 2 s. The first one is dead if the second receives an event
 * that the first does not, if the server does not respond, or if the resourceVersion has expired. An idle watch that has
 * missed nothing is never reconnected because of the probe.
 *
 * A dead watch is found within 43 s after an event that it missed.
 */
export class LivenessProbe {
  private readonly abort = new AbortController();
  private watchdog: Watchdog | undefined;
  private signs = 0;

  constructor(
    private readonly client: ListWatcher,
    private readonly options: LivenessProbeOptions,
  ) {}

  start(): void {
    this.watchdog = new Watchdog(this.options.clock, () => void this.check());
    this.watchdog.setLimit(PROBE_AFTER_MS);
  }

  /** Called for each event or bookmark of the watch. */
  feed(): void {
    this.signs += 1;
    this.watchdog?.feed();
  }

  stop(): void {
    this.watchdog?.stop();
    this.abort.abort();
  }

  private async check(): Promise<void> {
    const { signs } = this;
    const resourceVersion = this.options.resourceVersion();
    const error = resourceVersion === undefined ? undefined : await this.findError(resourceVersion);
    if (this.abort.signal.aborted) return;
    if (error && signs === this.signs) this.options.onDead(error);
    else this.start();
  }

  private async findError(resourceVersion: string): Promise<Error | undefined> {
    try {
      if (!(await this.receivesEvent(resourceVersion))) return undefined;
      await sleep(this.options.clock, DELIVERY_MS, this.abort.signal);
      return dead('it missed an event that another watch received');
    } catch (error) {
      if (error instanceof GoneError) return error;
      // A server that rejects the probe, for example because it is overloaded, is alive. Reconnecting adds to its load.
      if (error instanceof ApiError) return undefined;
      return dead(thrownError(error).message);
    }
  }

  /** Returns whether there is an event since `resourceVersion`. */
  private async receivesEvent(resourceVersion: string): Promise<boolean> {
    const { kind, scope, clock } = this.options;
    const ended = new AbortController();
    const limit = new Watchdog(clock, (silentMs) => {
      ended.abort(new Error(`no response to another watch within ${Math.round(silentMs / 1000)} s`));
    });
    limit.setLimit(PROBE_LIMIT_MS);
    const received: WatchEventType[] = [];
    const query = { resourceVersion, allowWatchBookmarks: false, timeoutSeconds: PROBE_SECONDS };
    const signal = AbortSignal.any([ended.signal, this.abort.signal]);
    try {
      await this.client.streamWatch(kind, { ...scope, ...query, keepManagedFields: false, signal }, (type) => {
        received.push(type);
        ended.abort();
      });
    } catch (error) {
      if (received.length === 0) throw error;
    } finally {
      limit.stop();
    }
    return received.length > 0;
  }
}

function dead(evidence: string): WatchError {
  return new WatchError(`watch is dead: ${evidence}`, 'idle');
}
