import type { Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import { createCredentials } from '../auth/create-credentials.js';
import type { Credentials } from '../auth/credentials.js';
import { impersonationHeaders } from '../auth/impersonation-headers.js';
import type { ClientMetrics } from '../client-metrics.js';
import type { ClusterConfig } from '../config/cluster.js';
import { ConnectionError } from '../connection-error.js';
import { BodyCollector, type CollectedResponse, type ListMember, type StreamReceiver } from './body-collector.js';
import { Call, type CallOptions } from './call.js';
import { ConnectionPool, type Connections } from './connection-pool.js';
import { Dialer } from './dialer.js';
import { HttpConnection } from './http-connection.js';
import { invalidRequest } from '../invalid-request.js';

export interface TransportRequest {
  readonly method: string;
  /** With the query, percent-encoded. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  /** The list that is parsed while a JSON response arrives. */
  readonly list?: ListMember | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The impersonated user of the request. */
  readonly impersonate?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time until there is a connection, and from then until the response is complete; for a stream, until it starts. */
  readonly timeoutMs: number;
  /** Called before the request is written; may throw to prevent that. */
  readonly beforeSend?: (() => void) | undefined;
}

export interface TransportOptions {
  readonly clock: Clock;
  readonly userAgent: string;
  readonly metrics?: ClientMetrics | undefined;
}

/** The configuration of a server in this process. */
export interface ConnectedConfig extends ClusterConfig {
  /** Returns the connections in place of sockets, for the requests or for the streams of a client. */
  readonly connections?: (() => Connections) | undefined;
}

/** The part of an exchange that was missing at the time-out. */
type Missing = 'connection' | 'response' | 'complete response';

const DIAL_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 256 * 2 ** 20;
const METHOD = /^[A-Z]+$/;
/** The header names that a caller can add: those of HTTP/1.1, in lower case, that the transport does not write. */
const ADDED_HEADER =
  /^(?!(?:host|user-agent|accept|authorization|connection|content-type|content-length|transfer-encoding|impersonate-.*)$)[a-z0-9_-]+$/;
/** The characters that a request line and headers can contain. */
const PRINTABLE = /^[\x20-\x7e\x80-\xff]*$/;

/**
 * Sends HTTP requests to one API server, with its credentials, over keep-alive connections.
 *
 * Redirects are not followed, because the credentials are only for this server.
 *
 * Uses a client of its own instead of `Pool.dispatch` of undici 8, because of the start of an operator: undici takes
 * 100 ms of CPU to load, and 1.2 to 1.3 times the CPU for a streamed list of 20,000 or 100,000 objects. A status write
 * costs about the same (77 and 81 to 89 µs). `npm run bench:http-client` measures both; see bench/README.md.
 */
export class Transport {
  private readonly credentials: Credentials;
  private readonly dialer: Dialer;
  private readonly pool: Connections;
  private readonly streams: Connections;
  private readonly basePath: string;
  private readonly fixedHeaders: string;
  private readonly isImpersonating: boolean;
  private readonly host: string;

  constructor(
    { server, auth = {}, tls = {}, proxy, connections }: ConnectedConfig,
    private readonly options: TransportOptions,
  ) {
    const { clock, userAgent } = options;
    this.host = server.host;
    this.basePath = server.pathname.replace(/\/+$/, '');
    this.credentials = createCredentials(auth, clock);
    const headers = [
      `Host: ${server.host}`,
      `User-Agent: ${userAgent}`,
      ...(auth.impersonate ? impersonationHeaders(auth.impersonate) : []),
    ];
    this.isImpersonating = auth.impersonate !== undefined;
    this.fixedHeaders = headers.map((header) => `${checked(header)}\r\n`).join('');
    this.dialer = new Dialer(
      {
        server,
        tls,
        proxy,
        clock,
        timeoutMs: DIAL_TIMEOUT_MS,
        clientCertificate: () => this.credentials.clientCertificate(),
      },
      () => {
        this.retire();
      },
    );
    const dial = async (): Promise<HttpConnection> => new HttpConnection(await this.dialer.dial());
    this.pool = connections?.() ?? new ConnectionPool(dial, { clock });
    this.streams = connections?.() ?? new ConnectionPool(dial, { clock, maxConnections: Infinity });
  }

  /**
   * Sends a request and returns the complete response, with any status. Retries once after a 401 if there are new
   * credentials.
   *
   * With a receiver, a response with status 200 is passed to it as it arrives, and the promise resolves when the response
   * ends. An error of the receiver ends the request, which rejects with that error.
   */
  async send(request: TransportRequest, receiver?: StreamReceiver): Promise<CollectedResponse> {
    const header = this.authorization(request.signal);
    const authorization = typeof header === 'object' ? await header : header;
    const response = await this.call(request, authorization, receiver);
    if (response.head.status !== 401 || !(await this.renew(authorization))) return response;
    this.retire();
    return this.call(request, await this.authorization(request.signal), receiver);
  }

  /** Closes all connections; pending requests reject. */
  close(): void {
    const error = new ConnectionError(`the client of ${this.host} is closed`, { reason: 'closed', host: this.host });
    this.pool.close(error);
    this.streams.close(error);
    this.dialer.close();
  }

  /** Closes idle connections now and others after their exchange. */
  retire(): void {
    this.pool.retire();
    this.streams.retire();
  }

  /** Returns whether the credentials may differ from the rejected ones. */
  private async renew(rejected: string | undefined): Promise<boolean> {
    const canDiffer = this.credentials.reject(rejected);
    return (await this.dialer.hasNewCertificates()) || canDiffer;
  }

  /** Returns a promise only if the credentials must be fetched. */
  private authorization(signal: AbortSignal | undefined): string | undefined | Promise<string | undefined> {
    const header = this.credentials.authorization();
    return typeof header === 'object' ? untilAborted(header, signal) : header;
  }

  private call(
    request: TransportRequest,
    authorization: string | undefined,
    receiver: StreamReceiver | undefined,
  ): Promise<CollectedResponse> {
    const { host } = this;
    const { clock, metrics } = this.options;
    const { method, signal, timeoutMs, beforeSend } = request;
    const collector = new BodyCollector(MAX_BODY_BYTES, receiver, request.list);
    const message = this.messageOf(request, authorization);
    const onTimeout: CallOptions['onTimeout'] = (missing) =>
      this.timedOut(request, collector.head ? 'complete response' : missing);
    const isStream = receiver !== undefined;
    const options = { method, host, clock, signal, timeoutMs, beforeSend, isStream, onTimeout };
    const response = new Call(isStream ? this.streams : this.pool, collector, message, options)
      .run()
      .then(() => collector.response());
    if (!metrics) return response;
    return response.finally(() => {
      metrics.request(collector.head ? String(collector.head.status) : '<error>', method, host);
    });
  }

  private messageOf(request: TransportRequest, authorization?: string): string {
    const { method, path, body, contentType, accept, headers = {} } = request;
    if (!path.startsWith('/')) throw invalidRequest(path, 'start the path with "/"');
    const target = this.basePath + path;
    if (!METHOD.test(method) || target.includes(' ')) throw invalidRequest(`${method} ${target}`);
    let head = `${method} ${checked(target)} HTTP/1.1\r\n${this.fixedHeaders}Accept: ${checked(accept ?? 'application/json')}\r\n`;
    for (const [name, value] of Object.entries(headers)) head += `${checkedName(name)}: ${checked(value)}\r\n`;
    head += this.identityOf(request);
    if (authorization !== undefined) head += `Authorization: ${checkedSecret(authorization)}\r\n`;
    if (body === undefined) return `${head}\r\n`;
    head += `Content-Type: ${checked(contentType ?? 'application/json')}\r\n`;
    return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }

  /** Returns the header line of the impersonated user of a request, if that is not the user of the client. */
  private identityOf({ impersonate }: TransportRequest): string {
    if (impersonate === undefined) return '';
    if (this.isImpersonating) throw impersonatesAlready(impersonate);
    return `Impersonate-User: ${checked(impersonate)}\r\n`;
  }

  private timedOut({ method, path, timeoutMs }: TransportRequest, missing: Missing): Error {
    const { host } = this;
    const what = `${method} ${path.replace(/\?.*$/, '')}`;
    const cause = missing === 'connection' ? 'no connection to' : `no ${missing} from`;
    return new ConnectionError(`${what}: ${cause} ${host} within ${timeoutMs / 1000} s`, {
      reason: 'timeout',
      host,
      isPartial: missing === 'complete response',
    });
  }
}

/** The API server cannot check the rights of the user of a kubeconfig to act as another. */
function impersonatesAlready(user: string): OperatorError {
  return new OperatorError(`cannot act as ${user}: the kubeconfig impersonates a user already`, {
    code: 'E_IMPERSONATION',
    hint: 'use the credentials of that user in the kubeconfig, without as',
  });
}

/** Resolves like the promise, or rejects with the signal's reason if the signal is aborted first. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/**
 * Rejects line breaks and other control characters, with which a name could add headers or requests.
 *
 * @throws OperatorError
 */
function checked(text: string): string {
  if (PRINTABLE.test(text)) return text;
  throw invalidRequest(text);
}

function checkedName(name: string): string {
  if (ADDED_HEADER.test(name)) return name;
  throw invalidRequest(name);
}

/** Like `checked`, without the text in the error. */
function checkedSecret(text: string): string {
  if (PRINTABLE.test(text)) return text;
  throw new OperatorError('the Authorization header contains characters that are not allowed in a header', {
    code: 'E_TOKEN',
  });
}
