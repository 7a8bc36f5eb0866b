import type { KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import type { Clock } from '../base/clock.js';
import { Watchdog } from '../base/watchdog.js';
import { isInitialEventsEnd } from '../client/watch/initial-events-end.js';
import type { WatchEventType } from '../client/watch/watch-decoder.js';
import { WatchError } from '../client/watch-error.js';
import type { ListWatcher, WatchRequest, WatchScope } from './list-watcher.js';
import { LivenessProbe } from './liveness-probe.js';

/**
 * The longest silence of a live stream.
 *
 * The server sends a bookmark every minute and may omit the first. A dead stream that has missed events is found earlier,
 * by LivenessProbe.
 */
const SILENCE_MS = { initialEvents: 30_000, beforeFirstBookmark: 130_000, afterBookmark: 75_000, afterTimeout: 30_000 };

export interface WatchStreamOptions {
  readonly kind: KindRef;
  readonly clock: Clock;
  readonly scope: WatchScope;
  readonly request: Omit<WatchRequest, 'signal' | keyof WatchScope>;
  /** Returns the position of the stream; undefined before the end of the initial events. */
  readonly resourceVersion: () => string | undefined;
  /** True once the server has sent a bookmark. */
  readonly hasBookmarks: boolean;
  /** Called with each event. An error ends the stream, which rejects with it. */
  readonly onEvent: (type: WatchEventType, object: KubeObject) => void;
}

/** One watch request, which ends when it is silent for too long. */
export class WatchStream {
  private count = 0;
  private readonly abort = new AbortController();
  private readonly watchdog: Watchdog;
  private readonly probe: LivenessProbe;

  constructor(
    private readonly client: ListWatcher,
    private readonly options: WatchStreamOptions,
  ) {
    this.watchdog = new Watchdog(options.clock, (silentMs) => {
      const seconds = Math.round(silentMs / 1000);
      this.abort.abort(new WatchError(`watch idle for ${seconds} s`, 'idle'));
    });
    const onDead = (error: Error): void => {
      this.abort.abort(error);
    };
    const { kind, scope, clock, resourceVersion } = options;
    this.probe = new LivenessProbe(client, { kind, scope, clock, resourceVersion, onDead });
  }

  /** The number of events and bookmarks received. */
  get events(): number {
    return this.count;
  }

  /** Resolves when the server ends the stream; rejects with WatchError, or with the error of the client. */
  async run(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { kind, scope, request } = this.options;
    const stop = (): void => {
      this.abort.abort(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    this.watchdog.setLimit(this.firstLimitMs());
    this.probe.start();
    try {
      await this.client.streamWatch(kind, { ...scope, ...request, signal: this.abort.signal }, (type, object) => {
        this.receive(type, object);
      });
      this.abort.signal.throwIfAborted();
    } catch (error) {
      throw this.abort.signal.aborted ? this.abort.signal.reason : error;
    } finally {
      this.watchdog.stop();
      this.probe.stop();
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends the stream, which rejects with the error. */
  end(error: Error): void {
    this.abort.abort(error);
  }

  private firstLimitMs(): number {
    const { request, hasBookmarks } = this.options;
    if (request.sendInitialEvents) return request.timeout ?? SILENCE_MS.initialEvents;
    return hasBookmarks ? SILENCE_MS.beforeFirstBookmark : request.timeoutSeconds * 1000 + SILENCE_MS.afterTimeout;
  }

  private receive(type: WatchEventType, object: KubeObject): void {
    if (this.abort.signal.aborted) return; // events that were read before the abort
    this.watchdog.feed();
    this.probe.feed();
    try {
      this.count += 1;
      if (type === 'BOOKMARK') {
        this.watchdog.setLimit(isInitialEventsEnd(object) ? SILENCE_MS.beforeFirstBookmark : SILENCE_MS.afterBookmark);
      }
      this.options.onEvent(type, object);
    } catch (error) {
      this.abort.abort(error);
    }
  }
}
