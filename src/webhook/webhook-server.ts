import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../base/clock.js';
import { BoundedServer } from '../base/http-server/bounded-server.js';
import { RequestError, asRequestError } from '../base/http-server/request-error.js';
import { stringifyJson } from '../base/json.js';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { thrownError } from '../base/thrown-error.js';
import { conversionReview, MAX_CONVERSION_BYTES } from './conversion-review.js';
import type { Converter } from './converted-objects.js';
import type { ReviewReader } from './review-reader.js';
import { assertPostedJson, MAX_REVIEW_BYTES } from './parse-body.js';
import { parseReview } from './parse-review.js';
import { SharedSlices } from './shared-slices.js';
import { SpareBlocks } from './spare-blocks.js';
import { ReviewDeadline } from './review-deadline.js';
import { reviewRequest, type ClassWebhook } from './review-request.js';
import type { WebhookMetrics } from './webhook-metrics.js';
import { responseMessage, WebhookMethodError } from './webhook-method-error.js';
import { WebhookRoutes } from './webhook-routes.js';

/** A certificate and its key, as PEM. */
interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface WebhookServerOptions {
  /** Undefined for all interfaces. */
  readonly host: string | undefined;
  /** 0 for any free port. */
  readonly port: number;
  /** Undefined to refuse connections until `renew` is called. */
  readonly certificate: KeyPair | undefined;
  /** PEM of authorities: only clients with a certificate of one of them are accepted. Default: all clients. */
  readonly clientCa?: string | undefined;
  readonly reader: ReviewReader;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: WebhookMetrics | undefined;
  /** Resolves when the values of `@Inject` are provided; rejects with the signal's reason. */
  readonly prepared: (signal: AbortSignal) => Promise<void>;
  /** Report changes by validating methods, which are not stored. */
  readonly isStrict: boolean;
  /** Reject the result of a mutating method that is not idempotent. */
  readonly repeatMutations?: boolean | undefined;
  /** The conversions of kinds with several versions. */
  readonly conversions?: readonly Converter[];
  /** Called with the path of each request for which no webhook is served. */
  readonly onOtherPath?: (path: string) => void;
}

/** Longer than the idle timeout of API servers, so that they close connections, and not the server under a request. */
const KEEP_ALIVE_MS = 90_000;
const HEADERS_MS = 32_000;
const REQUEST_MS = 60_000;
/** The longest time-out of a webhook that API servers permit. */
const REVIEW_MS = 30_000;
/** The reviews that several API servers under load send at the same time, each on its own connection. */
const MAX_CONNECTIONS = 1000;
/** Messages of errors may contain data of users. */
const MAX_MESSAGE = 512;

interface Answer {
  readonly status: number;
  readonly body: string | readonly Buffer[];
  /** To be called once the body has been sent. */
  readonly release?: () => void;
}

/** The path at which API servers convert objects: the same for all kinds, as that of kubebuilder. */
const CONVERT_PATH = '/convert';

/** Serves admission and conversion webhooks over HTTPS and HTTP/1.1, which API servers use so that replicas share their load. */
export class WebhookServer {
  private routes: WebhookRoutes;
  /** By group and kind. */
  private readonly conversions: ReadonlyMap<string, Converter>;
  private readonly server: BoundedServer;
  private readonly shared: { readonly slices: SharedSlices; readonly blocks: SpareBlocks };
  private isDraining = false;
  private isResponding = true;

  private constructor(
    webhooks: readonly ClassWebhook[],
    private readonly options: WebhookServerOptions,
  ) {
    this.routes = new WebhookRoutes(webhooks);
    this.shared = { slices: new SharedSlices(options.clock), blocks: new SpareBlocks(options.clock) };
    const conversions = options.conversions ?? [];
    this.conversions = new Map(conversions.map((each) => [`${each.kind.group}/${each.kind.kind}`, each]));
    if (conversions.length > 0) options.metrics?.register(CONVERT_PATH);
    for (const path of this.routes.paths) options.metrics?.register(path);
    const settings = {
      ...options.certificate,
      minVersion: 'TLSv1.2',
      ...(options.clientCa !== undefined && { ca: options.clientCa, requestCert: true, rejectUnauthorized: false }),
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
    } as const;
    const handle = (request: IncomingMessage, response: ServerResponse) => this.handle(request, response);
    this.server = new BoundedServer(handle, { isSecure: true, maxConnections: MAX_CONNECTIONS, settings });
    const { https } = this.server;
    if (https && options.clientCa !== undefined) requireClientCertificates(https, options.logger);
  }

  /** @throws OperatorError when it cannot listen. */
  static async start(webhooks: readonly ClassWebhook[], options: WebhookServerOptions): Promise<WebhookServer> {
    const server = new WebhookServer(webhooks, options);
    await server.listen();
    return server;
  }

  get port(): number {
    return (this.server.http.address() as AddressInfo).port;
  }

  /** Serves other webhooks, with the same paths, from the next request on. */
  serve(webhooks: readonly ClassWebhook[]): void {
    this.routes = new WebhookRoutes(webhooks);
  }

  /** Replaces the certificate for new connections. */
  renew(certificate: KeyPair): void {
    this.server.renew(certificate);
  }

  /** From now on each response closes its connection, so that API servers connect to another replica. */
  drain(): void {
    this.isDraining = true;
  }

  /** From now on reviews get no response: each ends when the API server closes its connection. */
  stopResponding(): void {
    this.isResponding = false;
  }

  /** Stops listening, and resolves when running reviews have ended, or `late` is aborted. */
  async close(late: AbortSignal = AbortSignal.timeout(REVIEW_MS)): Promise<void> {
    this.drain();
    const { connections } = this.server;
    await (this.isResponding ? connections.close(late) : connections.abort());
    this.shared.blocks.release();
  }

  private async listen(): Promise<void> {
    const { host, port } = this.options;
    try {
      this.server.http.listen(port, host);
      await once(this.server.http, 'listening');
    } catch (cause) {
      throw new OperatorError(`webhooks cannot be served on port ${port}: ${(cause as Error).message}`, {
        code: 'E_BIND_ADDRESS',
        hint: 'choose another port',
        cause,
      });
    }
  }

  /** Never rejects. */
  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isResponding || !this.routes.find(pathOf(request))) return this.respond(request, response);
    request.resume(); // else the end of the connection may not be seen
    await new Promise((resolve) => response.once('close', resolve));
  }

  /** Never rejects. */
  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, metrics } = this.options;
    const { url = '/' } = request;
    const requested = pathOf(request);
    const webhook = this.routes.find(requested);
    if (!webhook && !this.isConversion(requested)) {
      this.options.onOtherPath?.(requested);
      await this.send(response, { status: 404, body: 'no webhook is served at this path\n' });
      return;
    }
    const startedAt = clock.monotonic();
    const path = webhook?.webhook.path ?? CONVERT_PATH;
    metrics?.started(path);
    const answer = await (webhook ? this.answer(webhook, request, url) : this.convert(request));
    await this.send(response, answer);
    metrics?.ended(path, answer.status, (clock.monotonic() - startedAt) / 1000);
  }

  private isConversion(path: string): boolean {
    return path === CONVERT_PATH && this.conversions.size > 0;
  }

  private async send(response: ServerResponse, { status, body, release }: Answer): Promise<void> {
    const isComplete = response.req.complete;
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'content-type': status === 200 ? 'application/json' : 'text/plain; charset=utf-8',
      'content-length': isText ? Buffer.byteLength(body) : body.reduce((sum, { length }) => sum + length, 0),
      'x-content-type-options': 'nosniff',
      ...((this.isDraining || !isComplete) && { connection: 'close' }),
    });
    if (isText) response.end(body);
    else await pipeline(body, response).then(release, () => undefined); // the API server closed the connection
  }

  private async answer(webhook: ClassWebhook, message: IncomingMessage, url: string): Promise<Answer> {
    const { clock, logger, reader, prepared, isStrict, repeatMutations = false } = this.options;
    const deadline = new ReviewDeadline(url, clock);
    const { model } = webhook;
    try {
      const { group, kind } = model.kind;
      const conversion = this.conversions.get(`${group}/${kind}`);
      assertPostedJson(message);
      const onLate = deadline.onEnd.bind(deadline);
      const body = await this.server.bodies.read(message, { maxBytes: MAX_REVIEW_BYTES, onLate });
      const request = parseReview(body, model.kind, conversion !== undefined);
      if (model.injections.length > 0) await prepared(deadline.signal);
      const services = { reader, log: logger, deadline, isStrict, repeatMutations };
      const response = await reviewRequest(webhook, request, services, conversion);
      const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response };
      return { status: 200, body: stringifyJson(review) };
    } catch (thrown) {
      return this.failure(webhook, asRequestError(thrownError(thrown)));
    } finally {
      deadline.cancel();
    }
  }

  private async convert(message: IncomingMessage): Promise<Answer> {
    const { logger, metrics } = this.options;
    try {
      assertPostedJson(message);
      const chunks = this.server.bodies.chunks(message, { maxBytes: MAX_CONVERSION_BYTES });
      const { body, error, converted, release } = await conversionReview(chunks, this.conversions, this.shared);
      for (const count of converted) metrics?.converted(count);
      if (error) {
        metrics?.conversionFailed();
        logger.error('Conversion failed', { webhook: CONVERT_PATH, err: error });
      }
      return { status: 200, body, release };
    } catch (thrown) {
      const error = thrownError(thrown);
      logger.error('Conversion failed', { webhook: CONVERT_PATH, err: error });
      return {
        status: error instanceof RequestError ? error.status : 500,
        body: `${oneLine(responseMessage(error))}\n`,
      };
    }
  }

  /** For a status of 400 or more, the failure policy decides. */
  private failure({ webhook: { path } }: ClassWebhook, error: Error): Answer {
    const { logger, metrics } = this.options;
    const status = error instanceof RequestError ? error.status : 500;
    const isMethod = error instanceof WebhookMethodError;
    if (isMethod && error.isPanic) metrics?.panicked();
    logger.error('Review failed', {
      webhook: path,
      ...(isMethod && { method: error.method }),
      err: isMethod ? error.cause : error,
    });
    return { status, body: `${oneLine(responseMessage(error))}\n` };
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function oneLine(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ');
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)}…`;
}

/** Closes connections of clients without a certificate of the server's `ca`, and logs each reason once. */
function requireClientCertificates(server: Server, logger: Logger): void {
  const logged = new Set<string>();
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.authorized) return;
    socket.destroy();
    // Node states a code where its types have an Error.
    const reason = String(socket.authorizationError);
    if (logged.has(reason)) return;
    logged.add(reason);
    logger.warn('a client of the webhooks was rejected: it has no certificate of the client CA', {
      reason,
      hint: 'if it was an API server: its --admission-control-config-file must name a kubeconfig with a client certificate',
    });
  });
}
