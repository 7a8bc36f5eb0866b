import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.js';
import { stringifyJson } from '../base/json.js';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { thrownError } from '../base/thrown-error.js';
import type { ReviewReader } from './review-reader.js';
import { readReview } from './read-review.js';
import { RequestError } from './request-error.js';
import { startDeadline } from './review-deadline.js';
import { reviewRequest, type ClassWebhook } from './review-request.js';
import type { WebhookMetrics } from './webhook-metrics.js';
import { WebhookMethodError } from './webhook-method-error.js';

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
  readonly certificate: KeyPair;
  readonly reader: ReviewReader;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: WebhookMetrics | undefined;
  /** Resolves when values of `@Inject` are provided; reviews of classes that need some wait for it. */
  readonly prepared: Promise<unknown>;
}

/** Longer than the idle timeout of API servers, so that they close connections, and not the server under a request. */
const KEEP_ALIVE_MS = 90_000;
const HEADERS_MS = 32_000;
const REQUEST_MS = 60_000;
/** Messages of errors may contain data of users. */
const MAX_MESSAGE = 512;

/** Serves admission webhooks over HTTPS and HTTP/1.1, which API servers use so that replicas share their load. */
export class WebhookServer {
  private readonly webhooks: ReadonlyMap<string, ClassWebhook>;
  private readonly server;
  private isDraining = false;

  private constructor(
    webhooks: readonly ClassWebhook[],
    private readonly options: WebhookServerOptions,
  ) {
    this.webhooks = new Map(webhooks.map((each) => [each.webhook.path, each]));
    for (const path of this.webhooks.keys()) options.metrics?.register(path);
    const settings = {
      ...options.certificate,
      minVersion: 'TLSv1.2',
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
    } as const;
    this.server = process.getBuiltinModule('node:https').createServer(settings, (request, response) => {
      void this.respond(request, response);
    });
  }

  /** @throws OperatorError when it cannot listen. */
  static async start(webhooks: readonly ClassWebhook[], options: WebhookServerOptions): Promise<WebhookServer> {
    const server = new WebhookServer(webhooks, options);
    await server.listen();
    return server;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Replaces the certificate for new connections. */
  renew(certificate: KeyPair): void {
    this.server.setSecureContext(certificate);
  }

  /** From now on each response closes its connection, so that API servers connect to another replica. */
  drain(): void {
    this.isDraining = true;
  }

  /** Stops listening, and resolves when running reviews have ended. */
  async close(): Promise<void> {
    this.drain();
    const closed = once(this.server, 'close');
    this.server.close(); // also closes idle connections
    await closed;
  }

  private async listen(): Promise<void> {
    const { host, port } = this.options;
    try {
      this.server.listen(port, host);
      await once(this.server, 'listening');
    } catch (cause) {
      throw new OperatorError(`webhooks cannot be served on port ${port}: ${(cause as Error).message}`, {
        code: 'E_BIND_ADDRESS',
        hint: 'choose another port',
        cause,
      });
    }
  }

  /** Never rejects. */
  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, metrics } = this.options;
    const { url = '/' } = request;
    const webhook = this.webhooks.get(url.split('?', 1)[0] ?? '');
    if (!webhook) {
      this.send(response, 404, 'no webhook is served at this path\n');
      return;
    }
    const { path } = webhook.webhook;
    const startedAt = clock.monotonic();
    metrics?.started(path);
    const { status, body } = await this.answer(webhook, request, url);
    this.send(response, status, body);
    metrics?.ended(path, status, (clock.monotonic() - startedAt) / 1000);
  }

  private send(response: ServerResponse, status: number, body: string): void {
    const isComplete = response.req.complete;
    response.writeHead(status, {
      'content-type': status === 200 ? 'application/json' : 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      ...((this.isDraining || !isComplete) && { connection: 'close' }),
    });
    response.end(body);
  }

  private async answer(webhook: ClassWebhook, message: IncomingMessage, url: string) {
    const { clock, logger, reader, prepared } = this.options;
    const deadline = startDeadline(url, clock);
    const { model } = webhook;
    try {
      const request = await readReview(message, model.kind);
      if (model.injections.length > 0) await prepared;
      const log = logger.child({ webhook: webhook.webhook.path });
      const response = await reviewRequest(webhook, request, { reader, log, signal: deadline.signal });
      const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response };
      return { status: 200, body: stringifyJson(review) };
    } catch (thrown) {
      return this.failure(webhook, thrownError(thrown));
    } finally {
      deadline.cancel();
    }
  }

  /** A status of 400 or more is no verdict: the failure policy decides. */
  private failure({ webhook: { path } }: ClassWebhook, error: Error): { status: number; body: string } {
    const { logger, metrics } = this.options;
    const status = error instanceof RequestError ? error.status : 500;
    const isMethod = error instanceof WebhookMethodError;
    if (isMethod && error.isPanic) metrics?.panicked();
    logger.error('Review failed', {
      webhook: path,
      ...(isMethod && { method: error.method }),
      err: isMethod ? error.cause : error,
    });
    return { status, body: `${oneLine(error.message)}\n` };
  }
}

function oneLine(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ');
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)}…`;
}
