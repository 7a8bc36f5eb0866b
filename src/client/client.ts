import type { KubeConfig } from '@kubernetes/client-node';
import type { KindRef } from '../api/kinds/kind-ref.js';
import type { Clock } from '../base/clock.js';
import { silentLogger, type Logger } from '../base/logger.js';
import { SystemClock } from '../base/system-clock.js';
import type { AccessListener } from './access/access.js';
import { ApiClient } from './api-client.js';
import { toClusterConfig } from './client-node/client-node.js';
import type { ClientMetrics } from './client-metrics.js';
import type { InterceptOptions, RequestInterceptor, WatchOptions } from './client-options.js';
import { withoutCleartextCredentials, type ClusterConfig } from './config/cluster.js';
import { Transport } from './http/transport.js';
import { LivePodStreams, type PodStreamsOptions } from './pods/live-pod-streams.js';
import type { PodStreams } from './pods/pod-stream-options.js';
import { isReadMethod } from './is-read-method.js';
import { Requester } from './requester.js';
import { ServerWarnings } from './server-warnings.js';
import { Watcher } from './watch/watcher.js';
import type { WatchHandler } from './watch/watch-decoder.js';

/** Options of a client. */
export interface ClientOptions {
  /** Each warning of the API server is logged once. Default: nothing is logged. */
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  /** The field manager of writes; a call can override it. Default `kindwright`. */
  readonly fieldManager?: string | undefined;
  readonly metrics?: ClientMetrics | undefined;
  /** Called with each access before its request is sent, to record the permissions that a program needs. */
  readonly onAccess?: AccessListener | undefined;
}

/**
 * A client with its own connections to one API server.
 *
 * Life cycle: connections are opened on demand and reused. They do not keep the process alive; `close` ends them.
 */
export class Client extends ApiClient {
  readonly config: ClusterConfig;
  private readonly transport: Transport;
  private readonly watcher: Watcher;
  private readonly requester: Requester;

  /** @param given also a KubeConfig of @kubernetes/client-node, of which the current context is used. */
  constructor(given: ClusterConfig | Pick<KubeConfig, 'exportConfig'>, options: ClientOptions = {}) {
    const requested = toClusterConfig(given);
    const config = withoutCleartextCredentials(requested);
    const { logger = silentLogger, clock = new SystemClock(), fieldManager = 'kindwright' } = options;
    const transport = new Transport(config, { clock, userAgent: 'kindwright', metrics: options.metrics });
    const requester = new Requester(transport, clock, options.onAccess, new ServerWarnings(logger));
    const watcher = new Watcher(transport, requester, clock);
    super({ send: requester.request.bind(requester), watcher, fieldManager });
    this.config = config;
    this.transport = transport;
    this.watcher = watcher;
    this.requester = requester;
    if (config !== requested) {
      logger.warn('credentials are not sent to an API server without TLS: use https', { server: config.server.host });
    }
    if (config.tls?.insecureSkipVerify) {
      logger.warn('the certificate of the API server is not verified', { server: config.server.host });
    }
  }

  /**
   * Calls `onEvent` for each change as soon as it is received, without a promise per change.
   *
   * Resolves when the server ends the stream. Rejects with the ApiError of an ERROR event (after GoneError, list
   * again), with WatchError if the server sends anything that is not an event of the kind, and with any error of
   * `onEvent`. The connection is then closed.
   */
  streamWatch(kind: KindRef, options: WatchOptions, onEvent: WatchHandler): Promise<void> {
    return this.watcher.stream(kind, options, onEvent);
  }

  /**
   * Returns a client that shares the connections of this one and calls `beforeWrite` immediately before each request other
   * than a read is sent. If it throws, the call rejects with that error.
   *
   * @internal
   */
  guarded(beforeWrite: () => void): Client {
    const guard: RequestInterceptor = async (request, send) => {
      if (isReadMethod(request.method)) return send(request);
      beforeWrite();
      const beforeSend = (): void => {
        beforeWrite();
        request.beforeSend?.();
      };
      return send({ ...request, beforeSend });
    };
    return this.intercepted(guard);
  }

  /**
   * Like `intercept`, but the result can also stream watches.
   *
   * @internal
   */
  intercepted(interceptor: RequestInterceptor, options: InterceptOptions = {}): Client {
    const parts = { value: this.interceptedParts(interceptor, options), enumerable: true };
    return Object.create(this, { parts }) as Client;
  }

  /**
   * Returns the connections to containers of pods, with the configuration of this client.
   *
   * @internal
   */
  podStreams(options: Pick<PodStreamsOptions, 'signal' | 'namespace' | 'beforeWrite' | 'impersonate'>): PodStreams {
    const { config, requester, transport } = this;
    return new LivePodStreams({ config, requester, transport, ...options });
  }

  /** Ends all connections. Pending calls reject with a ConnectionError. */
  close(): void {
    this.transport.close();
  }
}
