import { resourceName, type KindRef } from '../api/kind-ref.js';
import type { Clock } from '../base/clock.js';
import type { WatchOptions } from './client-options.js';
import { ConnectionError } from './connection-error.js';
import type { StreamReceiver } from './http/body-collector.js';
import type { StreamFlow } from './http/call.js';
import type { Transport } from './http/transport.js';
import { InactivityTimer } from './inactivity-timer.js';
import { LineDecoder } from './line-decoder.js';
import { collectionPath } from './object-path.js';
import { selectorParameter, type QueryValue } from './query.js';
import type { Requester } from './requester.js';
import { handleWatchLine, type WatchHandler } from './watch-line.js';

/** Watches the objects of a kind. */
export class Watcher {
  constructor(
    private readonly transport: Transport,
    private readonly requester: Requester,
    private readonly clock: Clock,
    private readonly host: string,
  ) {}

  /** Implements Client.streamWatch. `onFlow` receives the object that pauses and resumes the stream. */
  async stream(
    kind: KindRef,
    options: WatchOptions,
    onEvent: WatchHandler,
    onFlow?: (flow: StreamFlow) => void,
  ): Promise<void> {
    const { keepManagedFields = false, inactivityMs = Infinity, onOpen, signal, timeoutMs } = options;
    const path = collectionPath(kind, options.namespace);
    const request = {
      method: 'GET',
      path,
      query: watchQuery(options),
      resource: resourceName(kind),
      signal,
      timeoutMs,
    };
    const inactivity = new InactivityTimer(this.clock, inactivityMs);
    const lines = new LineDecoder((line) => {
      inactivity.feed();
      handleWatchLine(line, request, keepManagedFields, onEvent);
    });
    const receiver: StreamReceiver = {
      onOpen: (flow) => {
        onFlow?.(flow);
        inactivity.start(() => {
          flow.abort(this.idleError(path, inactivityMs));
        });
        onOpen?.();
      },
      onBytes: (bytes) => {
        lines.push(bytes);
      },
    };
    try {
      const response = await this.transport.stream(this.requester.sent(request), receiver);
      if (response.head.status !== 200) throw this.requester.errorOf(response, request);
    } finally {
      inactivity.stop();
    }
  }

  private idleError(path: string, inactivityMs: number): ConnectionError {
    const { host } = this;
    return new ConnectionError(`the watch of ${path} was idle for ${inactivityMs / 1000} s`, {
      reason: 'timeout',
      host,
    });
  }
}

function watchQuery(options: WatchOptions): Record<string, QueryValue> {
  const { resourceVersion, resourceVersionMatch, timeoutSeconds, sendInitialEvents, fieldSelector } = options;
  return {
    watch: true,
    allowWatchBookmarks: options.allowWatchBookmarks ?? true,
    resourceVersion,
    resourceVersionMatch,
    timeoutSeconds,
    sendInitialEvents,
    labelSelector: selectorParameter(options.labelSelector),
    fieldSelector,
  };
}
