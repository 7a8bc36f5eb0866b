import { Pool, type Dispatcher } from 'undici';
import type { CollectedResponse, StreamReceiver } from '../../src/client/http/body-collector.js';
import type { ResponseHead } from '../../src/client/http/response-head.js';
import { Transport, type TransportRequest } from '../../src/client/http/transport.js';
import type { Clock } from '../../src/base/clock.js';
import { scheduleAfterPoll } from '../../src/base/schedule-after-poll.js';
import type { ClusterConfig } from '../../src/client/config/cluster.js';

const CONNECTIONS = 64;
const IDLE_MS = 60_000;

/**
 * Sends requests by `Pool.dispatch` of undici, the part of it with the least overhead, instead of our own connections.
 *
 * Does what Transport does for each request: time limit, abort signal, `beforeSend`, collected or streamed body. It leaves
 * out what costs nothing per request or less than that: renewal of credentials, proxies, the size limit of a body.
 */
export class UndiciTransport extends Transport {
  private readonly dispatcher: Pool;

  constructor(
    config: ClusterConfig,
    ca: string,
    private readonly settings: { readonly clock: Clock; readonly userAgent: string },
  ) {
    super(config, settings);
    this.dispatcher = new Pool(config.server.origin, {
      connections: CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect: { ca },
    });
  }

  override close(): void {
    super.close();
    void this.dispatcher.destroy();
  }

  override send(request: TransportRequest, receiver?: StreamReceiver): Promise<CollectedResponse> {
    const { method, path, body, contentType, accept = 'application/json', signal, timeoutMs, beforeSend } = request;
    const { clock, userAgent } = this.settings;
    const headers: Record<string, string> = { 'User-Agent': userAgent, Accept: accept };
    if (body !== undefined) headers['Content-Type'] = contentType ?? 'application/json';
    return new Promise((resolve, reject) => {
      let controller: Dispatcher.DispatchController | undefined;
      let head: ResponseHead | undefined;
      let isStreamed = false;
      const chunks: Buffer[] = [];
      const abort = (): void => controller?.abort(signal?.reason as Error);
      const cancelTimeout = scheduleAfterPoll(clock, timeoutMs, () => controller?.abort(new Error('timed out')));
      const settle = (): void => {
        cancelTimeout();
        signal?.removeEventListener('abort', abort);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (started) => {
          controller = started;
          beforeSend?.();
        },
        onResponseStart: (flow, status, fields) => {
          // The members of ResponseHead that the caller reads.
          head = { status, header: (name: string) => fields[name] } as unknown as ResponseHead;
          if (!receiver || status !== 200) return;
          isStreamed = true;
          cancelTimeout();
          receiver.onOpen(flow);
        },
        onResponseData: (_, chunk) => {
          if (isStreamed) receiver?.onBytes(chunk);
          else chunks.push(chunk);
        },
        onResponseEnd: () => {
          settle();
          const [first] = chunks;
          const text = (chunks.length === 1 && first ? first : Buffer.concat(chunks)).toString();
          if (head) resolve({ head, body: text });
        },
        onResponseError: (_, error) => {
          settle();
          reject(error);
        },
      };
      this.dispatcher.dispatch({ method, path, headers, body: body ?? null }, handler);
    });
  }
}
