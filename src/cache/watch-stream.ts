import { resourceName, type KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import type { Clock } from '../base/clock.js';
import type { ListWatcher, WatchRequest } from './list-watcher.js';
import { BrokenWatchError } from './broken-watch-error.js';
import { Watchdog } from './watchdog.js';

/**
 * How long a live stream may be silent.
 *
 * The server sends a bookmark each minute, of which it may leave the first out. Without bookmarks a quiet stream looks
 * like a dead one until the server should have ended it.
 */
const SILENCE_MS = { initialEvents: 30_000, beforeFirstBookmark: 130_000, afterBookmark: 75_000, afterTimeout: 30_000 };

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

const EVENT_TYPES: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

export type StreamEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

export interface WatchStreamOptions {
  readonly kind: KindRef;
  readonly clock: Clock;
  readonly request: Omit<WatchRequest, 'signal'>;
  /** Whether the server is known to send bookmarks. */
  readonly hasBookmarks: boolean;
  /** What this throws ends the stream, and is what it rejects with. */
  readonly onEvent: (type: StreamEventType, object: KubeObject) => void;
}

/** One watch request: passes on what is an event of the kind, and ends when there is something else, or nothing. */
export class WatchStream {
  private count = 0;
  private readonly abort = new AbortController();
  private readonly watchdog: Watchdog;

  constructor(
    private readonly client: ListWatcher,
    private readonly options: WatchStreamOptions,
  ) {
    this.watchdog = new Watchdog(options.clock, (silentMs) => {
      const seconds = Math.round(silentMs / 1000);
      this.abort.abort(new BrokenWatchError(`nothing was heard on the watch for ${seconds} s`, 'silent'));
    });
  }

  /** How many events and bookmarks have come. */
  get events(): number {
    return this.count;
  }

  /** Resolves when the server ends the stream; rejects with BrokenWatchError, or what the client rejects with. */
  async run(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { kind, request } = this.options;
    const stop = (): void => {
      this.abort.abort(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    this.watchdog.setLimit(this.firstLimitMs());
    try {
      await this.client.streamWatch(kind, { ...request, signal: this.abort.signal }, (type, object) => {
        this.receive(type, object);
      });
      this.abort.signal.throwIfAborted();
    } catch (error) {
      throw this.abort.signal.aborted ? this.abort.signal.reason : error;
    } finally {
      this.watchdog.stop();
      signal.removeEventListener('abort', stop);
    }
  }

  private firstLimitMs(): number {
    const { request, hasBookmarks } = this.options;
    if (request.sendInitialEvents) return SILENCE_MS.initialEvents;
    return hasBookmarks ? SILENCE_MS.beforeFirstBookmark : request.timeoutSeconds * 1000 + SILENCE_MS.afterTimeout;
  }

  private receive(type: string, object: KubeObject): void {
    if (this.abort.signal.aborted) return; // the rest of what had been read by then
    this.watchdog.feed();
    try {
      checkEvent(this.options.kind, type, object);
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

/** Whether a bookmark ends the initial events: the annotation must be "true", not merely there. */
export function isInitialEventsEnd({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
}

function checkEvent(kind: KindRef, type: string, object: KubeObject): asserts type is StreamEventType {
  if (!EVENT_TYPES.has(type)) throw new BrokenWatchError(`a watch event is of the unknown type ${type}`, 'malformed');
  if (type !== 'BOOKMARK') checkObject(kind, object);
  else if (typeof (object as Partial<KubeObject> | null)?.metadata?.resourceVersion !== 'string') {
    throw new BrokenWatchError('a bookmark has no resourceVersion', 'malformed');
  }
}

/**
 * Refuses what cannot be an object of the kind, such as a Table or a Status.
 *
 * @throws BrokenWatchError
 */
export function checkObject(kind: KindRef, object: unknown): void {
  const { metadata, kind: actual } = (object ?? {}) as Partial<KubeObject>;
  if (actual !== undefined && actual !== kind.kind) {
    throw new BrokenWatchError(`there is a ${actual} among the ${resourceName(kind)}`, 'malformed');
  }
  if (!metadata?.name || typeof metadata.resourceVersion !== 'string') {
    throw new BrokenWatchError(
      `there is an object without name or resourceVersion among the ${resourceName(kind)}`,
      'malformed',
    );
  }
}
