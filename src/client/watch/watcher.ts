import { optionMs } from '../../base/option-ms.js';
import { renamedError } from '../../base/renamed.js';
import { callTimeout } from '../call-timeout.js';
import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Clock } from '../../base/clock.js';
import { Watchdog } from '../../base/watchdog.js';
import type { InterceptOptions, WatchOptions } from '../client-options.js';
import type { StreamReceiver } from '../http/body-collector.js';
import type { StreamFlow } from '../http/call.js';
import type { Transport } from '../http/transport.js';
import { collectionNamespace, collectionPath } from '../object-path.js';
import { watchedNamespace } from '../part-namespaces.js';
import { acceptOf, selectorQuery, type QueryValue } from '../query.js';
import type { Requester } from '../requester.js';
import { WatchDecoder, type WatchHandler } from './watch-decoder.js';
import { WatchError } from '../watch-error.js';

/** Watches the objects of a kind. */
export class Watcher {
  constructor(
    private readonly transport: Transport,
    private readonly requester: Requester,
    private readonly clock: Clock,
  ) {}

  /** Implements Client.streamWatch. `onFlow` receives the object that pauses and resumes the stream. */
  async stream(
    kind: KindRef,
    options: WatchOptions & Pick<InterceptOptions, 'impersonate'>,
    onEvent: WatchHandler,
    onFlow?: (flow: StreamFlow) => void,
  ): Promise<void> {
    const { keepManagedFields = false, onOpen, signal } = options;
    const watched = watchedNamespace(kind, options.namespace);
    const path = collectionPath(kind, watched);
    const request = {
      method: 'GET',
      path,
      query: watchQuery(kind, options),
      accept: acceptOf(kind, 'object'),
      resource: resourceName(kind),
      signal,
      impersonate: options.impersonate,
      timeout: callTimeout(options),
    };
    let watchdog: Watchdog | undefined;
    const feedAndHandle: WatchHandler = (type, object) => {
      watchdog?.feed();
      onEvent(type, object);
    };
    const inactivityMs = inactivityTimeoutMs(options);
    const handler = inactivityMs === undefined ? onEvent : feedAndHandle;
    const namespace = collectionNamespace(kind, watched);
    const decoder = new WatchDecoder({ kind, namespace, path, keepManagedFields, onEvent: handler });
    const receiver: StreamReceiver = {
      onOpen: (flow) => {
        onFlow?.(flow);
        if (inactivityMs !== undefined) {
          watchdog = new Watchdog(this.clock, () => {
            flow.abort(idleError(kind, inactivityMs));
          });
          watchdog.setLimit(inactivityMs);
        }
        onOpen?.();
      },
      onBytes: (bytes) => {
        decoder.push(bytes);
      },
    };
    try {
      const response = await this.transport.send(this.requester.sent(request), receiver);
      if (response.head.status !== 200) throw this.requester.errorOf(response, request);
    } catch (error) {
      // What made this connection dead, such as a load balancer that lost its state, has often hit the others too.
      if (isIdle(error) || isIdle(signal?.reason)) this.transport.retire();
      throw error;
    } finally {
      watchdog?.stop();
    }
  }
}

function isIdle(error: unknown): boolean {
  return error instanceof WatchError && error.reason === 'idle';
}

/** @throws OperatorError for a value that is not a duration, or the name of earlier versions. */
function inactivityTimeoutMs(options: WatchOptions): number | undefined {
  if ((options as { readonly inactivityMs?: unknown }).inactivityMs !== undefined)
    throw renamedError('inactivityMs', `inactivityTimeout: '30s'`);
  const { inactivityTimeout } = options;
  return inactivityTimeout === undefined ? undefined : optionMs('inactivityTimeout', inactivityTimeout, 0);
}

function idleError(kind: KindRef, inactivityMs: number): WatchError {
  return new WatchError(`the watch of ${resourceName(kind)} was idle for ${inactivityMs / 1000} s`, 'idle');
}

function watchQuery(kind: KindRef, options: WatchOptions): Record<string, QueryValue> {
  const { resourceVersion, resourceVersionMatch, timeoutSeconds, sendInitialEvents } = options;
  return {
    watch: true,
    allowWatchBookmarks: options.allowWatchBookmarks ?? true,
    resourceVersion,
    resourceVersionMatch,
    timeoutSeconds,
    sendInitialEvents,
    ...selectorQuery(kind, options),
  };
}
